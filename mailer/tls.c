/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TLS by GnuTLS: whom we talk to is verified before a byte of ours goes out. */
#include "mailer/tls.h"

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <poll.h>
#include <string.h>

#include "mailer/mailer.h"
#include "mailer/waits.h"

struct tls {
	gnutls_session_t session;
	gnutls_certificate_credentials_t credentials;
};

static bool fail(GError **error, int code, const char *what)
{
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY, "TLS: %s: %s", what,
		    gnutls_strerror(code));
	return false;
}

static bool trust(tls *t, const char *ca_file, GError **error)
{
	int n;

	if (!ca_file) {
		n = gnutls_certificate_set_x509_system_trust(t->credentials);
		if (n > 0)
			return true;
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
			    "TLS: this system trusts no certificate authority at all "
			    "(package ca-certificates)");
		return false;
	}
	n = gnutls_certificate_set_x509_trust_file(t->credentials, ca_file,
						   GNUTLS_X509_FMT_PEM);
	if (n > 0)
		return true;
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
		    "TLS: %s: no certificate authority in it%s%s", ca_file,
		    n < 0 ? ": " : "", n < 0 ? gnutls_strerror(n) : "");
	return false;
}

static bool prepare(tls *t, int fd, const char *host, const char *ca_file,
		    GError **error)
{
	static const char priorities[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
	int code = gnutls_certificate_allocate_credentials(&t->credentials);

	if (code)
		return fail(error, code, "credentials");
	if (!trust(t, ca_file, error))
		return false;
	code = gnutls_init(&t->session,
			   GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL);
	if (!code)
		code = gnutls_priority_set_direct(t->session, priorities, NULL);
	if (!code)
		code = gnutls_credentials_set(t->session, GNUTLS_CRD_CERTIFICATE,
					      t->credentials);
	/* An address is no name that a server could choose its certificate by. */
	if (!code && !g_hostname_is_ip_address(host))
		code = gnutls_server_name_set(t->session, GNUTLS_NAME_DNS, host,
					      strlen(host));
	if (code)
		return fail(error, code, "set-up");
	gnutls_session_set_verify_cert(t->session, host, 0);
	gnutls_transport_set_int(t->session, fd);
	return true;
}

/* Why a certificate was not believed, in GnuTLS' words. */
static void refuse_certificate(const tls *t, const char *host, GError **error)
{
	gnutls_datum_t text = { NULL, 0 };
	unsigned status = gnutls_session_get_verify_cert_status(t->session);

	gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_REFUSED,
		    "TLS: the certificate for %s is not accepted: %s", host,
		    text.data ? g_strchomp((char *)text.data) : "no reason given");
	gnutls_free(text.data);
}

static bool shake_hands(tls *t, int fd, const char *host, int64_t deadline,
			GError **error)
{
	for (;;) {
		int code = gnutls_handshake(t->session);

		if (code == GNUTLS_E_SUCCESS)
			return true;
		if (code == GNUTLS_E_AGAIN &&
		    !wait_for(fd, tls_events(t), deadline, error)) {
			g_prefix_error(error, "TLS: handshake: ");
			return false;
		}
		if (!gnutls_error_is_fatal(code))
			continue;
		if (code == GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR)
			refuse_certificate(t, host, error);
		else if (code == GNUTLS_E_FATAL_ALERT_RECEIVED)
			g_set_error(
				error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
				"TLS: handshake: the server says: %s",
				gnutls_alert_get_name(gnutls_alert_get(t->session)));
		else
			fail(error, code, "handshake");
		return false;
	}
}

tls *tls_open(int fd, const char *host, const char *ca_file, int64_t deadline,
	      GError **error)
{
	tls *t = g_new0(tls, 1);

	if (prepare(t, fd, host, ca_file, error) &&
	    shake_hands(t, fd, host, deadline, error))
		return t;
	tls_free(t);
	return NULL;
}

void tls_free(tls *t)
{
	if (!t)
		return;
	if (t->session)
		gnutls_deinit(t->session);
	if (t->credentials)
		gnutls_certificate_free_credentials(t->credentials);
	g_free(t);
}

static ssize_t judge(const tls *t, ssize_t n, GError **error)
{
	if (n == GNUTLS_E_AGAIN || n == GNUTLS_E_INTERRUPTED ||
	    n == GNUTLS_E_WARNING_ALERT_RECEIVED)
		return 0;
	if (n == GNUTLS_E_FATAL_ALERT_RECEIVED)
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "TLS: the server says: %s",
			    gnutls_alert_get_name(gnutls_alert_get(t->session)));
	else
		fail(error, (int)n, "connection");
	return -1;
}

ssize_t tls_read(tls *t, void *buffer, size_t size, GError **error)
{
	ssize_t n = gnutls_record_recv(t->session, buffer, size);

	if (n > 0)
		return n;
	if (n < 0)
		return judge(t, n, error);
	g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
		    "closed by the other side");
	return -1;
}

ssize_t tls_write(tls *t, const void *buffer, size_t size, GError **error)
{
	ssize_t n = gnutls_record_send(t->session, buffer, size);

	return n > 0 ? n : judge(t, n, error);
}

short tls_events(const tls *t)
{
	return gnutls_record_get_direction(t->session) ? POLLOUT : POLLIN;
}

bool tls_pending(const tls *t)
{
	return gnutls_record_check_pending(t->session) > 0;
}

void tls_bye(tls *t)
{
	gnutls_bye(t->session, GNUTLS_SHUT_WR);
}
