/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/transport.h"

#include <string.h>
#include <sys/stat.h>

#define PASSWORD_SECONDS 60

/* The first line of what a program printed or a file holds. */
static char *first_line(GBytes *bytes)
{
	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);
	const char *end = text ? memchr(text, '\n', length) : NULL;

	return g_strchomp(
		g_strndup(text ? text : "", end ? (gsize)(end - text) : length));
}

static char *run_password_command(const char *group, const char *text, GError **error)
{
	g_auto(GStrv) argv = NULL;

	if (!g_shell_parse_argv(text, NULL, &argv, error)) {
		g_prefix_error(error, "[%s] password-command: ", group);
		return NULL;
	}

	g_autoptr(GBytes) out =
		mailer_run((const char *const *)argv, PASSWORD_SECONDS, error);

	return out ? first_line(out) : NULL;
}

static char *read_password_file(const char *path, GError **error)
{
	struct stat st;

	if (stat(path, &st) == 0 && (st.st_mode & 077) != 0) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
			    "%s: others can read the password (chmod 600 it)", path);
		return NULL;
	}

	g_autoptr(GBytes) bytes = mailer_file_read(path, error);

	return bytes ? first_line(bytes) : NULL;
}

/* *password NULL: none is configured.  `prefix` of the keys: "" or "fcc-". */
static bool find_password(const config *conf, const char *group, const char *prefix,
			  char **password, GError **error)
{
	g_autofree char *command_key = g_strconcat(prefix, "password-command", NULL);
	g_autofree char *file_key = g_strconcat(prefix, "password-file", NULL);
	g_autofree char *program = config_text(conf, group, command_key);
	g_autofree char *path = config_file(conf, group, file_key);

	*password = NULL;
	if (program)
		*password = run_password_command(group, program, error);
	else if (path)
		*password = read_password_file(path, error);
	return *password || (!program && !path);
}

/* config_load() lets no other word through. */
static mailer_tls tls_of(const config *conf, const char *group)
{
	g_autofree char *text = config_text(conf, group, "tls");

	if (strcmp(text, "required") == 0)
		return MAILER_TLS_REQUIRED;
	return strcmp(text, "never") == 0 ? MAILER_TLS_NEVER : MAILER_TLS_OFFERED;
}

/* What [send] says; the password is the caller's to free. */
static bool find_options(const config *conf, const char *prefix, const char *url,
			 mailer_options *options, char **password, GError **error)
{
	bool named = strchr(url, '@') != NULL;

	options->insecure = config_bool(conf, "send", "insecure");
	options->timeout =
		(unsigned)MIN(config_number(conf, "send", "timeout"), 86400u);
	/* A password is asked for only where there is somebody to show it to. */
	if (named && g_str_has_prefix(url, *prefix ? "imap" : "smtp") &&
	    !find_password(conf, "send", prefix, password, error))
		return false;
	options->password = *password;
	options->tls = tls_of(conf, "send");
	return true;
}

mailer_transport *transport_open(const config *conf, const char *url, GError **error)
{
	g_autofree char *password = NULL;
	g_autofree char *hello = config_text(conf, "send", "hello");
	g_autofree char *ca_file = config_file(conf, "send", "ca-file");
	mailer_options options = { .hello = hello, .ca_file = ca_file };

	return find_options(conf, "", url, &options, &password, error) ?
		       mailer_transport_open_with(url, &options, error) :
		       NULL;
}

bool transport_fcc(const config *conf, const char *where, const char *message_id,
		   GBytes *mail, GError **error)
{
	g_autofree char *password = NULL;
	g_autofree char *ca_file = config_file(conf, "send", "ca-file");
	mailer_options options = { .ca_file = ca_file };

	return find_options(conf, "fcc-", where, &options, &password, error) &&
	       mailer_fcc(where, &options, message_id, mail, error);
}

bool transport_login_find(const config *conf, const char *group, const char *url,
			  transport_login *login, GError **error)
{
	mailer_options *o = &login->options;

	login->user = config_text(conf, group, "user");
	login->ca_file = config_file(conf, group, "ca-file");
	o->user = login->user;
	o->ca_file = login->ca_file;
	o->insecure = config_bool(conf, group, "insecure");
	o->timeout = (unsigned)MIN(config_number(conf, group, "timeout"), 86400u);
	if ((login->user || strchr(url, '@')) &&
	    !find_password(conf, group, "", &login->password, error))
		return false;
	o->password = login->password;
	o->tls = tls_of(conf, group);
	return true;
}

void transport_login_clear(transport_login *login)
{
	if (login->password)
		explicit_bzero(login->password, strlen(login->password));
	g_clear_pointer(&login->user, g_free);
	g_clear_pointer(&login->password, g_free);
	g_clear_pointer(&login->ca_file, g_free);
}
