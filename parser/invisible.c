/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/reading.h"

/* What Unicode has programs ignore when they show text, and blanks that look empty. */
static const struct range {
	gunichar first, last;
} ranges[] = {
	{ 0xad, 0xad },       /* soft hyphen */
	{ 0x34f, 0x34f },     /* combining grapheme joiner */
	{ 0x61c, 0x61c },     /* Arabic letter mark */
	{ 0x115f, 0x1160 },   /* Hangul fillers */
	{ 0x17b4, 0x17b5 },   /* Khmer inherent vowels */
	{ 0x180b, 0x180f },   /* Mongolian variation selectors */
	{ 0x200b, 0x200f },   /* zero width space, joiners, direction marks */
	{ 0x202a, 0x202e },   /* embedding and override of direction */
	{ 0x2060, 0x206f },   /* word joiner, invisible operators, isolates */
	{ 0x3164, 0x3164 },   /* Hangul filler */
	{ 0xfe00, 0xfe0f },   /* variation selectors */
	{ 0xfeff, 0xfeff },   /* zero width no-break space */
	{ 0xffa0, 0xffa0 },   /* halfwidth Hangul filler */
	{ 0xfff0, 0xfffb },   /* interlinear annotation */
	{ 0x1bca0, 0x1bca3 }, /* shorthand format controls */
	{ 0x1d173, 0x1d17a }, /* musical format controls */
	{ 0xe0000, 0xe0fff }, /* tags, further variation selectors */
};

bool parser_is_invisible(gunichar c)
{
	if (c < ranges[0].first)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}
