/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library for LD_PRELOAD that makes durable writes fail.  It counts the calls by
 * which a program changes files (not its standard output and error, no pipes and
 * sockets) and does something at one of them.  From the environment, which it then
 * cleans, so that programs that are started run undisturbed:
 *
 *   FAULTS=ACTION@N    at the Nth call; ACTION@N+: from then on
 *          kill        the process dies before the call
 *          half        it writes half of the bytes, then the process dies
 *          INT, TERM   that signal arrives before the call
 *          ENOSPC, EIO, EACCES ...  the call fails so
 *          readonly    EROFS, and nothing can be opened for writing
 *   FAULTS_ONLY=TEXT   count only calls about paths that hold TEXT
 *   FAULTS_READS=1     count calls that read files instead
 *   FAULTS_LOG=FILE    append a line "NUMBER CALL PATH" for each
 *   FAULTS_CLOCK=TIME  the wall clock stands at TIME (Unix seconds)
 *   FAULTS_STEP=TIME   ... and goes on by so much at each look at it, also backwards
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef enum action {
	NOTHING,
	KILL,
	HALF,
	SIGNAL,
	FAIL,
	READONLY
} action;

static struct plan {
	action action;
	int value; /* the signal, the error */
	long at;
	bool on; /* from there on */
	bool reads;
	const char *only;
	int log;
	bool clock;
	long long time, step;
} plan = { .log = -1 };

static atomic_long calls;
static atomic_llong looks;

/* ---- the plan ---- */

static const struct word {
	const char *name;
	action action;
	int value;
} words[] = {
	/* clang-format off */
	{ "kill", KILL, SIGKILL },
	{ "half", HALF, SIGKILL },
	{ "INT", SIGNAL, SIGINT },
	{ "TERM", SIGNAL, SIGTERM },
	{ "ENOSPC", FAIL, ENOSPC },
	{ "EIO", FAIL, EIO },
	{ "EACCES", FAIL, EACCES },
	{ "readonly", READONLY, EROFS },
	/* clang-format on */
};

static void give_up(const char *why)
{
	dprintf(STDERR_FILENO, "faults: %s\n", why);
	_exit(99);
}

static void read_action(const char *text)
{
	const char *at = strchr(text, '@');
	char *end = NULL;

	for (size_t i = 0; at && i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].name);

		if ((size_t)(at - text) != length ||
		    memcmp(text, words[i].name, length) != 0)
			continue;
		plan.action = words[i].action;
		plan.value = words[i].value;
		plan.at = strtol(at + 1, &end, 10);
		plan.on = *end == '+';
	}
	if (!end || plan.at < 1 || (*end && !(plan.on && !end[1])))
		give_up("FAULTS is not ACTION@N or ACTION@N+");
}

__attribute__((constructor)) static void start(void)
{
	const char *faults = getenv("FAULTS"), *log = getenv("FAULTS_LOG");
	const char *wall = getenv("FAULTS_CLOCK"), *step = getenv("FAULTS_STEP");
	const char *only = getenv("FAULTS_ONLY");

	if (faults && *faults)
		read_action(faults);
	plan.reads = getenv("FAULTS_READS") != NULL;
	plan.only = only ? strdup(only) : NULL;
	plan.clock = wall && *wall;
	plan.time = plan.clock ? strtoll(wall, NULL, 10) : 0;
	plan.step = step ? strtoll(step, NULL, 10) : 0;
	if (log && *log)
		plan.log =
			(int)syscall(SYS_openat, AT_FDCWD, log,
				     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	unsetenv("LD_PRELOAD");
	unsetenv("FAULTS");
	unsetenv("FAULTS_LOG");
	unsetenv("FAULTS_ONLY");
	unsetenv("FAULTS_READS");
}

/* ---- counting ---- */

static void *next(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		give_up(name);
	return function;
}

/* Calls the function that this one stands before. */
#define NEXT(name, ...)                                                                \
	({                                                                             \
		static __typeof__(&name) function;                                     \
		if (!function)                                                         \
			function = (__typeof__(&name))next(#name);                     \
		function(__VA_ARGS__);                                                 \
	})

static void note(long number, const char *call, const char *path)
{
	char line[PATH_MAX + 64];
	int length = snprintf(line, sizeof(line), "%ld %s %s\n", number, call, path);

	if (plan.log >= 0)
		syscall(SYS_write, plan.log, line, (size_t)length);
}

/* Whether the call is to fail; errno says how.  *half: it is to be the last, cut short.
 */
static bool fails(const char *call, const char *path, bool *half)
{
	bool reads = strstr(call, "read") != NULL;

	if (reads != plan.reads || (plan.only && !strstr(path, plan.only)))
		return false;

	long number = ++calls;

	note(number, call, path);
	if (!plan.action || number < plan.at || (number > plan.at && !plan.on))
		return false;
	if (plan.action == HALF && half) {
		*half = true;
		return false;
	}
	if (plan.action != FAIL && plan.action != READONLY) {
		raise(plan.value);
		return false;
	}
	errno = plan.value;
	return true;
}

static bool fd_fails(const char *call, int fd, bool *half)
{
	int saved = errno;
	char link[64], path[PATH_MAX];
	struct stat st;

	if (fd <= STDERR_FILENO || fstat(fd, &st) != 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);

	ssize_t length = readlink(link, path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	errno = saved;
	return fails(call, path, half);
}

/* ---- bytes ---- */

ssize_t write(int fd, const void *bytes, size_t length)
{
	bool half = false;

	if (fd_fails("write", fd, &half))
		return -1;
	if (half) {
		NEXT(write, fd, bytes, length / 2);
		raise(SIGKILL);
	}
	return NEXT(write, fd, bytes, length);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
	bool half = false;

	if (fd_fails("pwrite", fd, &half))
		return -1;
	if (half) {
		NEXT(pwrite, fd, bytes, length / 2, offset);
		raise(SIGKILL);
	}
	return NEXT(pwrite, fd, bytes, length, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
	return pwrite(fd, bytes, length, offset);
}

int ftruncate(int fd, off_t length)
{
	return fd_fails("ftruncate", fd, NULL) ? -1 : NEXT(ftruncate, fd, length);
}

int ftruncate64(int fd, off64_t length)
{
	return ftruncate(fd, length);
}

int fsync(int fd)
{
	return fd_fails("fsync", fd, NULL) ? -1 : NEXT(fsync, fd);
}

int fdatasync(int fd)
{
	return fd_fails("fdatasync", fd, NULL) ? -1 : NEXT(fdatasync, fd);
}

ssize_t read(int fd, void *bytes, size_t length)
{
	return fd_fails("read", fd, NULL) ? -1 : NEXT(read, fd, bytes, length);
}

ssize_t pread(int fd, void *bytes, size_t length, off_t offset)
{
	return fd_fails("pread", fd, NULL) ? -1 :
					     NEXT(pread, fd, bytes, length, offset);
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset)
{
	return pread(fd, bytes, length, offset);
}

/* ---- names ---- */

int rename(const char *from, const char *to)
{
	return fails("rename", to, NULL) ? -1 : NEXT(rename, from, to);
}

int link(const char *from, const char *to)
{
	return fails("link", to, NULL) ? -1 : NEXT(link, from, to);
}

int unlink(const char *path)
{
	return fails("unlink", path, NULL) ? -1 : NEXT(unlink, path);
}

int mkdir(const char *path, mode_t mode)
{
	return fails("mkdir", path, NULL) ? -1 : NEXT(mkdir, path, mode);
}

/* Opening changes something only when it makes a file, or empties one. */
static bool open_fails(const char *path, int flags)
{
	if (plan.action == READONLY && (flags & O_ACCMODE) != O_RDONLY &&
	    strncmp(path, "/dev/", 5) != 0)
		return fails("open", path, NULL);
	return ((flags & O_TRUNC) || ((flags & O_CREAT) && access(path, F_OK) != 0)) &&
	       fails("open", path, NULL);
}

static int open_at(int dir, const char *path, int flags, mode_t mode)
{
	return open_fails(path, flags) ? -1 : NEXT(openat, dir, path, flags, mode);
}

#define MODE(last)                                                                     \
	({                                                                             \
		mode_t mode = 0;                                                       \
		if (last & (O_CREAT | O_TMPFILE)) {                                    \
			va_list arguments;                                             \
			va_start(arguments, last);                                     \
			mode = va_arg(arguments, mode_t);                              \
			va_end(arguments);                                             \
		}                                                                      \
		mode;                                                                  \
	})

int open(const char *path, int flags, ...)
{
	return open_at(AT_FDCWD, path, flags, MODE(flags));
}

int open64(const char *path, int flags, ...)
{
	return open_at(AT_FDCWD, path, flags | O_LARGEFILE, MODE(flags));
}

int openat(int dir, const char *path, int flags, ...)
{
	return open_at(dir, path, flags, MODE(flags));
}

int openat64(int dir, const char *path, int flags, ...)
{
	return open_at(dir, path, flags | O_LARGEFILE, MODE(flags));
}

/* ---- time ---- */

static long long now(void)
{
	return plan.time + plan.step * looks++;
}

int clock_gettime(clockid_t id, struct timespec *time)
{
	if (!plan.clock || id != CLOCK_REALTIME)
		return NEXT(clock_gettime, id, time);
	*time = (struct timespec){ .tv_sec = now() };
	return 0;
}

int gettimeofday(struct timeval *time, void *zone)
{
	if (!plan.clock)
		return NEXT(gettimeofday, time, zone);
	*time = (struct timeval){ .tv_sec = now() };
	return 0;
}

time_t time(time_t *seconds)
{
	time_t t = plan.clock ? now() : NEXT(time, NULL);

	if (seconds)
		*seconds = t;
	return t;
}
