/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may stand between the brackets of MAIL FROM and RCPT TO, or after a program's
 * name.  A line end would be a command of its own, a bracket would end the address
 * early, a leading '-' would be an option, and libetpan cuts a command at 512 bytes
 * without a word.
 */
#include "mailer/address.h"

#include <glib.h>
#include <string.h>

const char *address_fault(const char *address)
{
	size_t length = strlen(address);
	const char *at = strrchr(address, '@');

	if (length == 0)
		return "empty address";
	if (length > ADDRESS_MAX)
		return "address of more than 254 bytes";
	if (address[0] == '-')
		return "address begins with '-'";
	if (!g_utf8_validate(address, (gssize)length, NULL))
		return "address is not UTF-8";
	for (const char *p = address; *p; p++) {
		if (g_ascii_iscntrl(*p))
			return "address with a control character";
		if (*p == ' ' || strchr("<>,;", *p))
			return "address with a blank, bracket, comma or semicolon";
	}
	if (!at || at == address || at[1] == '\0')
		return "address without a name or a host";
	return NULL;
}

bool address_is_ascii(const char *address)
{
	return g_str_is_ascii(address);
}
