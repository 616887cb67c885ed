/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every key of regtrail.conf.  The man page lists the same; a lint compares them. */
#include "cli/config.h"

#include <string.h>

/* clang-format off */
const config_key config_keys[] = {
	{ "regtrail", "database", CONFIG_PATH, "regtrail.db", true,
	  "The one file that holds everything that is known." },
	{ "regtrail", "from", CONFIG_ADDRESS, NULL, true,
	  "Name and address in From: of our reports; also where answers go.\n"
	  "Example: example test robot <robot@example.org>" },
	{ "regtrail", "own-addresses", CONFIG_ADDRESSES, NULL, false,
	  "Further addresses of ours: never recipients, and their mail is our own." },
	{ "regtrail", "operators", CONFIG_ADDRESSES, NULL, false,
	  "Who may give commands by mail (#regtrail ...)." },
	{ "regtrail", "robot-team", CONFIG_ADDRESSES, NULL, false,
	  "People who run robots: what they write is no answer of a developer." },
	{ "regtrail", "mailmap", CONFIG_PATH, NULL, false,
	  "git's mailmap, such as the kernel's .mailmap: what a person says from another of\n"
	  "his addresses counts as his.  Commands need the address that they always need." },
	{ "regtrail", "trusted-hosts", CONFIG_WORDS, NULL, false,
	  "Hosts whose Authentication-Results headers are believed, in mail that they\n"
	  "delivered." },
	{ "regtrail", "require-dkim", CONFIG_BOOL, "yes", false,
	  "Commands by mail apply only when a trusted host saw a valid DKIM signature." },
	{ "regtrail", "archive-url", CONFIG_TEXT, NULL, false,
	  "Where a mail is found in an archive; %s stands for its Message-ID.\n"
	  "Example: https://lore.kernel.org/r/%s" },
	{ "regtrail", "maintainers", CONFIG_PATH, NULL, false,
	  "The kernel's MAINTAINERS file: `list --subsystem` knows its sections, too." },
	{ "regtrail", "fill-from", CONFIG_TEXT, NULL, false,
	  "The archive that missing mails of tracked threads are asked for: the URL of a\n"
	  "public-inbox or of a news server (nntp[s]://HOST/GROUP), or the name of a\n"
	  "source; else the first source that is lore+https, else the first that is nntp.\n"
	  "Example: https://lore.kernel.org/all/" },
	{ "regtrail", "fill-max", CONFIG_NUMBER, "20", false,
	  "At most so many threads are asked for in one run; 0 = none." },
	{ "regtrail", "keep-days", CONFIG_NUMBER, "90", false,
	  "How long mail from standard input is kept that belongs to no report." },
	{ "regtrail", "kcidb-origin", CONFIG_TEXT, "regtrail", false,
	  "Who we are for KCIDB (`regtrail export --format kcidb`): small letters, digits\n"
	  "and _." },

	{ "report", "style", CONFIG_CHOICE, "robot", false,
	  "Wording of reports: robot, robot-2017 or brief." },
	{ "report", "approval", CONFIG_BOOL, "yes", false,
	  "Drafts wait for `regtrail outbox approve`; no = they may leave at once." },
	{ "report", "materials-url", CONFIG_TEXT, NULL, false,
	  "Where job files are found, instead of attachments; %s stands for the ID." },
	{ "report", "compat-lkp", CONFIG_BOOL, "no", false,
	  "Tables exactly as the public comparer prints them." },
	{ "report", "own-subject", CONFIG_BOOL, "no", false,
	  "A report on a posted patch has its own subject instead of Re: of the patch's." },
	{ "report", "regzbot", CONFIG_BOOL, "no", false,
	  "Add the lines that make regzbot track the regression." },
	{ "report", "improvements-to-lists", CONFIG_BOOL, "yes", false,
	  "Reports of improvements go to public lists too." },
	{ "report", "plots", CONFIG_BOOL, "yes", false,
	  "Draw the samples of the bisection, when the results have some." },
	{ "report", "seen-before", CONFIG_BOOL, "yes", false,
	  "Cite an earlier regression that was explained by a function that shows up\n"
	  "in the profile of this one." },
	{ "report", "kernel-config", CONFIG_PATH, NULL, false,
	  "A file to attach: the configuration of the kernel; %s stands for its name\n"
	  "(kconfig).  Example: /srv/kconfigs/%s" },
	{ "report", "reproduce", CONFIG_TEXT, NULL, false,
	  "How to reproduce, with the job that is attached or linked; \\n starts a line.\n"
	  "Example: git clone https://git.example.org/tests.git\\ncd tests && ./run job.yaml" },
	{ "report", "signature", CONFIG_TEXT, NULL, false,
	  "What stands below the line \"-- \"; \\n starts a line.  Default: the name in `from`." },

	{ "recipients", "lists", CONFIG_ADDRESSES, NULL, false,
	  "Lists that get every report." },
	{ "recipients", "public-lists", CONFIG_WORDS, NULL, false,
	  "Addresses (* and ? allowed) that are public lists: never for private trees,\n"
	  "never taken from trailers." },
	{ "recipients", "stop", CONFIG_WORDS, NULL, false,
	  "Addresses that never get a mail from us." },
	{ "recipients", "cc-cmd", CONFIG_TEXT, NULL, false,
	  "A program that prints further recipients, one a line.  It runs in the repository\n"
	  "of --git and gets the culprit as a patch file (as with git send-email).\n"
	  "Example: scripts/get_maintainer.pl --norolestats" },
	{ "recipients", "robots", CONFIG_WORDS, "lkp@intel.com", false,
	  "Addresses of robots (* and ? allowed): never taken from trailers, and their\n"
	  "reports come before those of anybody else." },
	{ "recipients", "max", CONFIG_COUNT, "50", false,
	  "A mail with more recipients is refused; 1 or more." },

	{ "send", "via", CONFIG_TEXT, NULL, false,
	  "How mail leaves: dir:PATH, smtp://[USER@]HOST[:PORT], smtps://... or\n"
	  "sendmail:PROGRAM [ARGUMENT...]." },
	{ "send", "password-command", CONFIG_TEXT, NULL, false,
	  "A program that prints the password of the SMTP server on its first line." },
	{ "send", "password-file", CONFIG_PATH, NULL, false,
	  "Or a file that holds it, readable by its owner alone." },
	{ "send", "tls", CONFIG_CHOICE, "offered", false,
	  "With smtp://: offered (STARTTLS when the server offers it), required or never." },
	{ "send", "insecure", CONFIG_BOOL, "no", false,
	  "Allow a login that leaves this machine unencrypted." },
	{ "send", "ca-file", CONFIG_PATH, NULL, false,
	  "Authorities to trust (PEM), instead of the system's." },
	{ "send", "hello", CONFIG_TEXT, NULL, false,
	  "How we greet the server; else with this machine's name." },
	{ "send", "timeout", CONFIG_NUMBER, "300", false,
	  "Seconds that a step of the delivery may take." },
	{ "send", "fcc", CONFIG_TEXT, NULL, false,
	  "Where a copy of each sent mail is filed: maildir:PATH or\n"
	  "imap[s]://USER@HOST[:PORT]/FOLDER." },
	{ "send", "fcc-password-command", CONFIG_TEXT, NULL, false,
	  "A program that prints the password of that IMAP server on its first line." },
	{ "send", "fcc-password-file", CONFIG_PATH, NULL, false,
	  "Or a file that holds it, readable by its owner alone." },
	{ "send", "sender", CONFIG_ADDRESS, NULL, false,
	  "Envelope sender: where bounces go.  Default: the address in `from`." },
	{ "send", "per-hour", CONFIG_NUMBER, "20", false,
	  "At most so many mails an hour; 0 = no limit." },
	{ "send", "per-day", CONFIG_NUMBER, "100", false,
	  "At most so many mails a day; 0 = no limit." },
	{ "send", "per-recipient-day", CONFIG_NUMBER, "10", false,
	  "At most so many mails to one address a day; 0 = no limit." },
	{ "send", "size-max", CONFIG_NUMBER, "500000", false,
	  "Bytes of a mail; a larger one loses rows and attachments, and says so.  0 = no limit." },
	{ "send", "stop-file", CONFIG_PATH, "regtrail.stop", false,
	  "While this file exists nothing is sent." },

	{ "policy", "apply", CONFIG_STATUSES, NULL, false,
	  "Statuses that a reply sets at once; all other closing ones are suggestions\n"
	  "until `regtrail confirm`.\nExample: expected, ignored, invalid" },

	{ "templates", "directory", CONFIG_PATH, NULL, false,
	  "Files here replace those of the same name that the program carries inside\n"
	  "(mail/, metrics/, rules/)." },

	{ "tree *", "lists", CONFIG_ADDRESSES, NULL, false,
	  "Lists that get reports on commits of this tree." },
	{ "tree *", "private", CONFIG_BOOL, "no", false,
	  "Nothing about this tree goes to a public list." },
	{ "tree *", "url", CONFIG_TEXT, NULL, false,
	  "Where the tree is, as reports name it." },
	{ "tree *", "branch", CONFIG_WORDS, NULL, false,
	  "The branch that is tested; or several, of which `regtrail scan` reads all and\n"
	  "reports name the first." },
	{ "tree *", "path", CONFIG_PATH, NULL, false,
	  "A clone of the tree on this machine, which `regtrail scan` reads.  Whoever keeps\n"
	  "it up to date fetches; regtrail does not." },
	{ "tree *", "order", CONFIG_CHOICE, "next", false,
	  "How near to users it is: posted, next, mainline or stable.  A fix in mainline, or\n"
	  "in the tree that the report is on, has arrived; before that it is on its way." },

	{ "paths *", "match", CONFIG_WORDS, NULL, false,
	  "Patterns (* and ?) of files that a commit touches.\nExample: mm/*, include/linux/mm*" },
	{ "paths *", "lists", CONFIG_ADDRESSES, NULL, false,
	  "Lists that get reports on such commits." },

	{ "digest *", "to", CONFIG_ADDRESSES, NULL, false,
	  "Who gets it." },
	{ "digest *", "cc", CONFIG_ADDRESSES, NULL, false,
	  "And who a copy." },
	{ "digest *", "title", CONFIG_TEXT, NULL, false,
	  "What it is about, as its subject says; else NAME." },
	{ "digest *", "tree", CONFIG_TEXT, NULL, false,
	  "Only what was found in such a tree (* and ?, TREE or TREE:BRANCH)." },
	{ "digest *", "subsystem", CONFIG_TEXT, NULL, false,
	  "Only culprits whose subject starts so." },
	{ "digest *", "author", CONFIG_TEXT, NULL, false,
	  "Only culprits by such an author (a part of name or address)." },
	{ "digest *", "quiet-days", CONFIG_NUMBER, "14", false,
	  "A regression about which nothing was heard for so long is quiet; 0 = none is." },
	{ "digest *", "private", CONFIG_BOOL, "no", false,
	  "Regressions of private trees are in it, and it goes to no public list." },

	{ "remind *", "subsystems", CONFIG_WORDS, NULL, false,
	  "Remind of regressions by commits of these subsystems: what the commit's subject\n"
	  "says before its colon (* and ?; mm covers mm/slub)." },
	{ "remind *", "lists", CONFIG_ADDRESSES, NULL, false,
	  "Remind of regressions that were reported to these lists." },
	{ "remind *", "after-days", CONFIG_NUMBER, "14", false,
	  "Once no developer has said a word for so long." },
	{ "remind *", "every-weeks", CONFIG_NUMBER, "4", false,
	  "At most one reminder of a regression in so many weeks." },
	{ "remind *", "at-most", CONFIG_NUMBER, "3", false,
	  "And no more than so many of it at all; 0 = no limit." },

	{ "machine *", "description", CONFIG_TEXT, NULL, false,
	  "What the machine is, as reports say it.\n"
	  "Example: 96 threads 2 sockets (Cascade Lake) with 128G memory" },

	{ "test *", "description", CONFIG_TEXT, NULL, false,
	  "What the test does, in a line." },
	{ "test *", "url", CONFIG_TEXT, NULL, false,
	  "Where the test is found." },

	{ "source *", "url", CONFIG_TEXT, NULL, false,
	  "A file, mbox:PATH, maildir:PATH, pubinbox:PATH, imap[s]://[USER@]HOST/FOLDER,\n"
	  "nntp[s]://HOST/GROUP or lore+https://HOST/INBOX/." },
	{ "source *", "user", CONFIG_TEXT, NULL, false,
	  "Who logs in there, if the URL does not say it." },
	{ "source *", "password-command", CONFIG_TEXT, NULL, false,
	  "A program that prints the password on its first line." },
	{ "source *", "password-file", CONFIG_PATH, NULL, false,
	  "Or a file that holds it, readable by its owner alone." },
	{ "source *", "tls", CONFIG_CHOICE, "offered", false,
	  "With imap:// and nntp://: offered, required or never." },
	{ "source *", "insecure", CONFIG_BOOL, "no", false,
	  "Allow a login that leaves this machine unencrypted." },
	{ "source *", "ca-file", CONFIG_PATH, NULL, false,
	  "Authorities to trust (PEM), instead of the system's." },
	{ "source *", "timeout", CONFIG_NUMBER, "60", false,
	  "Seconds that a step may take, or that a locked mbox is waited for." },
	{ "source *", "since-days", CONFIG_NUMBER, "0", false,
	  "How far back a search begins that was never made before; 0 = everything." },
	{ "source *", "mirror", CONFIG_BOOL, "no", false,
	  "With pubinbox: a clone that is brought up to date by git fetch first." },
	{ "source *", "delivered", CONFIG_BOOL, "yes", false,
	  "no = none of `trusted-hosts` delivered this mail (it is a copy of an archive), and\n"
	  "nothing in it proves a sender.  Of pubinbox, nntp and lore it is never believed." },
	{ NULL, NULL, 0, NULL, false, NULL },
};
/* clang-format on */

const char *const *config_key_choices(const config_key *key)
{
	static const char *const styles[] = { "robot", "robot-2017", "brief", NULL };
	static const char *const encryption[] = { "offered", "required", "never",
						  NULL };
	static const char *const orders[] = { "posted", "next", "mainline", "stable",
					      NULL };
	static const struct choice {
		const char *key;
		const char *const *words;
	} choices[] = { { "style", styles },
			{ "tls", encryption },
			{ "order", orders } };

	for (size_t i = 0; key->type == CONFIG_CHOICE && i < G_N_ELEMENTS(choices); i++)
		if (strcmp(choices[i].key, key->key) == 0)
			return choices[i].words;
	return NULL;
}

static const struct group {
	const char *name, *help;
} groups[] = {
	{ "regtrail", "Who we are, and where things are." },
	{ "report", "What reports look like." },
	{ "recipients", "Who gets them." },
	{ "send", "How they leave, and how many." },
	{ "policy", "What replies may do without being confirmed." },
	{ "templates", "Wording, lists of metrics and rules of your own." },
	{ "tree *", "One group for each tree of commits, as in [tree linux-next]." },
	{ "paths *", "One group for each set of files, as in [paths mm]." },
	{ "digest *", "One group for each digest (regtrail digest NAME)." },
	{ "remind *",
	  "Whom `regtrail remind` may remind; without such a group, nobody." },
	{ "machine *", "One group for each machine, by its name in results." },
	{ "test *",
	  "One group for each test, by its name in results; some styles show it." },
	{ "source *",
	  "One group for each place where `regtrail ingest` gets mail from." },
};

const char *config_group_help(const char *group)
{
	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
		if (strcmp(groups[i].name, group) == 0)
			return groups[i].help;
	return NULL;
}

/* "tree linux-next" is of the kind "tree *". */
static bool group_fits(const char *pattern, const char *group)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] != '*')
		return strcmp(pattern, group) == 0;
	return strncmp(pattern, group, n - 1) == 0;
}

const config_key *config_key_find(const char *group, const char *key)
{
	for (const config_key *k = config_keys; k->group; k++)
		if (group_fits(k->group, group) && (!key || strcmp(k->key, key) == 0))
			return k;
	return NULL;
}

static void append_comment(GString *out, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		g_string_append_printf(out, "# %s\n", *line);
}

static void append_group(GString *out, const char *group)
{
	const char *star = strchr(group, '*');

	g_string_append_c(out, '\n');
	append_comment(out, config_group_help(group));
	if (star)
		g_string_append_printf(out, "#[%.*sNAME]\n", (int)(star - group),
				       group);
	else
		g_string_append_printf(out, "[%s]\n", group);
}

char *config_sample(void)
{
	GString *out =
		g_string_new("# Configuration of regtrail; regtrail(1) explains it.\n"
			     "# A key behind a # has the value shown, or none.\n");
	const char *group = NULL;

	for (const config_key *k = config_keys; k->group; k++) {
		if (!group || strcmp(group, k->group) != 0)
			append_group(out, k->group);
		group = k->group;
		g_string_append_c(out, '\n');
		append_comment(out, k->help);
		g_string_append_printf(out, "%s%s = %s\n", k->active ? "" : "#", k->key,
				       k->value ? k->value : "");
	}
	return g_string_free(out, FALSE);
}
