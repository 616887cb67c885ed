/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

int main(void)
{
	fprintf(stderr, "usage: regtrail COMMAND\n");
	return 2;
}
