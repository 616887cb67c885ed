/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "sendmail:PROGRAM [ARGUMENT...]" - a program that takes mails like sendmail does:
 * -i -f SENDER RECIPIENT..., the mail on its input, an exit code of sysexits.h.
 */
#include <string.h>
#include <sysexits.h>

#include "mailer/address.h"
#include "mailer/run.h"
#include "mailer/text.h"
#include "mailer/transport.h"

#define SECONDS 600

static void *open_sendmail(const char *url, const mailer_options *options,
			   GError **error)
{
	g_autoptr(GError) cause = NULL;
	char **argv = NULL;

	(void)options;
	if (g_shell_parse_argv(url + strlen("sendmail:"), NULL, &argv, &cause))
		return argv;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE, "%s: %s", url,
		    cause->message);
	return NULL;
}

static void close_sendmail(void *self)
{
	g_strfreev(self);
}

/*
 * What an exit code says of the mail.  Codes that programs use for trouble in the
 * middle of a delivery (EX_IOERR, EX_SOFTWARE, EX_PROTOCOL) and those without a meaning
 * leave it open.
 */
static mailer_outcome judge(const run_end *end)
{
	if (!end->exited)
		return MAILER_UNKNOWN;
	switch (end->status) {
	case EX_OK:
		return MAILER_SENT;
	case EX_DATAERR:
	case EX_NOUSER:
	case EX_NOHOST:
	case EX_NOPERM:
		return MAILER_REJECTED;
	case EX_USAGE:
	case EX_NOINPUT:
	case EX_UNAVAILABLE:
	case EX_OSERR:
	case EX_OSFILE:
	case EX_CANTCREAT:
	case EX_TEMPFAIL:
	case EX_CONFIG:
		return MAILER_RETRY;
	default:
		return MAILER_UNKNOWN;
	}
}

static GPtrArray *arguments(char *const *program, const mailer_envelope *envelope)
{
	GPtrArray *argv = g_ptr_array_new();

	for (; *program; program++)
		g_ptr_array_add(argv, *program);
	g_ptr_array_add(argv, (char *)"-i");
	g_ptr_array_add(argv, (char *)"-f");
	g_ptr_array_add(argv, (char *)envelope->sender);
	for (size_t i = 0; i < envelope->n_recipients; i++)
		if (!envelope->recipients[i].detail)
			g_ptr_array_add(argv, (char *)envelope->recipients[i].address);
	g_ptr_array_add(argv, NULL);
	return argv;
}

/* Refuses what must not become an argument; how many recipients are left. */
static size_t check(mailer_envelope *envelope)
{
	const char *sender = address_fault(envelope->sender);
	size_t left = 0;

	for (size_t i = 0; i < envelope->n_recipients; i++) {
		mailer_recipient *to = &envelope->recipients[i];
		const char *fault = sender ? sender : address_fault(to->address);

		to->outcome = MAILER_REJECTED;
		g_free(to->detail);
		to->detail = fault ? g_strdup_printf("%s%s", sender ? "sender: " : "",
						     fault) :
				     NULL;
		left += !fault;
	}
	return left;
}

/* Every reader of mail undoes quoted-printable; not every program sends 8bit on. */
static mailer_outcome run(char *const *program, const mailer_envelope *envelope,
			  char **detail)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) argv = arguments(program, envelope);
	/* Programs of this kind read lines as this system writes them. */
	g_autoptr(GBytes) mail = text_unix_copy(envelope->quoted_printable);
	run_end end = { 0 };
	g_autoptr(GBytes) out = run_program((const char *const *)argv->pdata, mail,
					    SECONDS, &end, &error);

	*detail = error ? g_strdup_printf("sendmail: %s", error->message) :
			  g_strdup_printf("sendmail: %s: taken", program[0]);
	if (g_error_matches(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND))
		return MAILER_RETRY;
	return judge(&end);
}

static mailer_outcome deliver(void *self, mailer_envelope *envelope, char **detail)
{
	if (check(envelope) == 0) {
		*detail = g_strdup("no recipient has a usable address");
		return MAILER_REJECTED;
	}

	mailer_outcome outcome = run(self, envelope, detail);

	for (size_t i = 0; i < envelope->n_recipients; i++) {
		mailer_recipient *to = &envelope->recipients[i];

		if (to->detail)
			continue;
		to->outcome = outcome;
		to->detail = g_strdup(*detail);
	}
	return outcome;
}

const transport_kind transport_sendmail = {
	.scheme = "sendmail:",
	.open = open_sendmail,
	.deliver = deliver,
	.close = close_sendmail,
};
