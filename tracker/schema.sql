-- The whole store.  Read this file first; the C around it only moves rows.
--
-- Three kinds of table: evidence (mails, our reports, acts of the operator, what a scan of
-- a git tree saw), what was read out of one mail (report, verdict, mechanism, ...), and
-- what follows from all evidence together (regression, finding's place, link, suggestion).
-- The last kind can be worked out anew from the others at any time; event keeps how the
-- status came to be what it is, and is only ever appended to.
--
-- Times are Unix seconds, 0 = unknown.  A change here raises user_version and adds a step
-- to migrate.c.

CREATE TABLE meta (              -- one row a fact about this file
	name  TEXT PRIMARY KEY,  -- 'hash-key', 'policy', 'drafts-claimed'
	value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE source (            -- a mailbox, archive or server that is read again and again
	name   TEXT PRIMARY KEY, -- 'imap://host/folder'; 'asked:' and the id of a
	                         -- missing mail: that an archive was asked for it
	cursor TEXT NOT NULL,    -- how far it is read, in the source's own terms
	at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE place (             -- a file, folder or blob that messages were found in
	id     INTEGER PRIMARY KEY,
	source TEXT NOT NULL,    -- 'file', 'maildir:/path' ...
	name   TEXT NOT NULL,    -- absolute path, UID, blob
	delivered INTEGER NOT NULL DEFAULT 1 CHECK (delivered IN (0, 1)),
	                         -- by a server of ours, which says who signed the mail;
	                         -- 0: from an archive, where anybody may have said it
	UNIQUE (source, name)
) STRICT;

CREATE TABLE unclaimed (         -- a mail that belongs to no tracked thread (yet)
	id      INTEGER PRIMARY KEY,
	hash    INTEGER NOT NULL, -- keyed hash of its Message-ID
	refs    BLOB NOT NULL,   -- keyed hashes, 8 bytes each, of what could claim it
	place   INTEGER NOT NULL REFERENCES place,
	at      INTEGER NOT NULL, -- offset in place
	length  INTEGER NOT NULL,
	-- BETWEEN: for more than two values of IN a table is made at every insert.
	form    INTEGER NOT NULL CHECK (form BETWEEN 0 AND 2), -- mail, mbox, archive
	number  INTEGER NOT NULL, -- which message of an archive text
	arrived INTEGER NOT NULL,
	kept    BLOB             -- compressed; only what cannot be read again
) STRICT;
-- In the order of arrival, so that millions of rows are appended to it.
CREATE UNIQUE INDEX unclaimed_once ON unclaimed (place, at, number, hash);

CREATE TABLE claiming (          -- what new reports ask for, among all that is unclaimed,
	hash INTEGER PRIMARY KEY -- when the ingest that goes on comes to its end
) STRICT;

CREATE TABLE refused (           -- bytes that are no mail, or over a limit
	place  INTEGER NOT NULL REFERENCES place,
	at     INTEGER NOT NULL,
	number INTEGER NOT NULL,
	reason TEXT NOT NULL CHECK (reason <> ''),
	PRIMARY KEY (place, at, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (           -- every mail of a tracked thread, once; sent or received
	id         INTEGER PRIMARY KEY,
	message_id TEXT NOT NULL, -- without <>; made from the content when made_up
	variant    INTEGER NOT NULL DEFAULT 0, -- > 0: another mail under a used Message-ID
	made_up    INTEGER NOT NULL DEFAULT 0 CHECK (made_up IN (0, 1)),
	origin     TEXT NOT NULL CHECK (origin IN
	           ('ghost', 'own', 'mail')), -- ghost: referred to, not seen
	content    TEXT,         -- hash of author, date and own words: copies agree
	parent     INTEGER REFERENCES message, -- what it answers, as far as is known
	name       TEXT,         -- of the author
	address    TEXT,
	date       INTEGER NOT NULL DEFAULT 0,
	arrived    INTEGER NOT NULL DEFAULT 0, -- when we stored it
	subject    TEXT NOT NULL DEFAULT '',
	class      TEXT NOT NULL CHECK (class IN
	           ('human', 'robot', 'bot', 'auto', 'bounce')),
	signed_by  TEXT,         -- lines 'host domain': who says which domain's DKIM passed
	regression TEXT,         -- the ID that its header or a quoted line names
	first_words TEXT,        -- a line of the author's own words
	place      INTEGER REFERENCES place, -- where it was found; NULL: ghost, ours
	at         INTEGER NOT NULL DEFAULT 0, -- offset in place
	length     INTEGER NOT NULL DEFAULT 0,
	form       INTEGER NOT NULL DEFAULT 0 CHECK (form IN (0, 1, 2)),
	number     INTEGER NOT NULL DEFAULT 0, -- which message of an archive text
	bytes      BLOB,         -- compressed, as received; NULL: ghost, or forgotten
	UNIQUE (message_id, variant),
	CHECK (origin <> 'ghost' OR (content IS NULL AND bytes IS NULL))
) STRICT;
CREATE INDEX message_by_parent ON message (parent);
CREATE INDEX message_by_address ON message (address);

CREATE TABLE words (             -- the author's own words, for search
	message INTEGER PRIMARY KEY REFERENCES message ON DELETE CASCADE,
	text    TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words_index USING fts5 (
	text, content = 'words', content_rowid = 'message', prefix = '3 4',
	tokenize = "unicode61 remove_diacritics 2 tokenchars '_'"
);
CREATE TRIGGER words_added AFTER INSERT ON words BEGIN
	INSERT INTO words_index (rowid, text) VALUES (new.message, new.text);
END;
CREATE TRIGGER words_removed AFTER DELETE ON words BEGIN
	INSERT INTO words_index (words_index, rowid, text)
	VALUES ('delete', old.message, old.text);
END;

CREATE TABLE message_list (      -- lists that a mail came by
	message INTEGER NOT NULL REFERENCES message,
	list    TEXT NOT NULL,   -- List-Id without <>
	PRIMARY KEY (message, list)
) STRICT, WITHOUT ROWID;

CREATE TABLE reference (         -- ids that a mail names
	message  INTEGER NOT NULL REFERENCES message,
	kind     TEXT NOT NULL CHECK (kind IN ('in-reply-to', 'references', 'link')),
	position INTEGER NOT NULL,
	target   TEXT NOT NULL,  -- Message-ID
	PRIMARY KEY (message, kind, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX reference_by_target ON reference (target);

CREATE TABLE stray (             -- commands of ours in mails of no tracked thread
	hash       INTEGER NOT NULL, -- keyed hash of the Message-ID
	position   INTEGER NOT NULL,
	message_id TEXT NOT NULL,
	author     TEXT NOT NULL,
	date       INTEGER NOT NULL,
	verb       TEXT NOT NULL,
	arguments  TEXT NOT NULL,
	PRIMARY KEY (hash, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE forgotten (         -- mails removed because a person asked for it
	hash INTEGER PRIMARY KEY, -- keyed hash of the Message-ID, so that it stays away
	at   INTEGER NOT NULL
) STRICT;

CREATE TABLE "commit" (          -- facts about culprits and fixes
	id             TEXT PRIMARY KEY, -- 7 to 40 hex digits
	subject        TEXT,
	author_name    TEXT,
	author_address TEXT,
	date           INTEGER NOT NULL DEFAULT 0,
	tree           TEXT,
	branch         TEXT,
	url            TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE commit_trailer (
	"commit" TEXT NOT NULL REFERENCES "commit",
	position INTEGER NOT NULL,
	name     TEXT NOT NULL,  -- 'Signed-off-by'
	value    TEXT NOT NULL,
	PRIMARY KEY ("commit", position)
) STRICT, WITHOUT ROWID;

CREATE TABLE commit_file (       -- paths that it touches
	"commit" TEXT NOT NULL REFERENCES "commit",
	path     TEXT NOT NULL,
	PRIMARY KEY ("commit", path)
) STRICT, WITHOUT ROWID;
CREATE INDEX commit_file_by_path ON commit_file (path);

CREATE TABLE regression (        -- culprit x testcase x headline metric
	id           INTEGER PRIMARY KEY,
	regression   TEXT NOT NULL UNIQUE CHECK (length(regression) = 40),
	merged_into  INTEGER REFERENCES regression, -- joined another; its ID is an alias there
	duplicate_of INTEGER REFERENCES regression, -- by act or command
	culprit      TEXT NOT NULL, -- first ten digits; '' = unknown
	-- The rest follows from the evidence, and is kept here so that lists are fast.
	seen         INTEGER NOT NULL DEFAULT 0 CHECK (seen IN (0, 1)),
	status       TEXT CHECK (status IN
	             ('reported', 'acknowledged', 'needs-info', 'investigating', 'fix-posted',
	              'fix-queued', 'fixed', 'expected', 'ignored', 'invalid',
	              'not-reproducible', 'duplicate', 'dropped')), -- that of the newest event
	open         INTEGER NOT NULL DEFAULT 0 CHECK (open IN (0, 1)),
	kind         TEXT CHECK (kind IN ('regression', 'improvement', 'failure')),
	testcase     TEXT,
	metric       TEXT,
	machine      TEXT,
	"commit"     TEXT,       -- culprit, as many digits as are known
	subject      TEXT,       -- of the culprit
	author       TEXT,       -- of the culprit
	tree         TEXT,
	branch       TEXT,
	change       REAL,       -- percent; NULL = unknown
	reported_at  INTEGER NOT NULL DEFAULT 0,
	report       INTEGER REFERENCES message, -- the first one
	last_human_at INTEGER NOT NULL DEFAULT 0,
	last_human   TEXT,
	replies      INTEGER NOT NULL DEFAULT 0, -- by humans outside the robot team
	owes         TEXT CHECK (owes IN ('robot', 'maintainer', 'operator')),
	disputed     INTEGER NOT NULL DEFAULT 0 CHECK (disputed IN (0, 1)),
	digits       INTEGER NOT NULL DEFAULT 8 CHECK (digits BETWEEN 8 AND 40),
	             -- of the ID, so that it can be told from all others
	CHECK (open = 0 OR status IS NOT NULL),
	CHECK (status IS NULL OR seen = 1),
	CHECK (merged_into IS NULL OR merged_into <> id),
	CHECK (duplicate_of IS NULL OR duplicate_of <> id)
) STRICT;
CREATE INDEX regression_by_culprit ON regression (culprit);
-- All that `list` shows and sorts by: it reads these few pages and no row.
CREATE INDEX regression_open ON regression (
	reported_at, open, merged_into, regression, status, kind, metric, testcase, "commit",
	subject, machine, tree, branch, change, last_human_at, last_human, replies, owes,
	author, disputed, culprit, digits)
	WHERE open = 1 AND merged_into IS NULL;
CREATE INDEX regression_merged ON regression (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX regression_duplicate ON regression (duplicate_of)
	WHERE duplicate_of IS NOT NULL;
CREATE INDEX regression_by_subject ON regression (subject);

CREATE TABLE alias (             -- further IDs of a regression
	alias      TEXT PRIMARY KEY CHECK (length(alias) = 40),
	regression INTEGER NOT NULL REFERENCES regression
) STRICT, WITHOUT ROWID;
CREATE INDEX alias_by_regression ON alias (regression);

CREATE TABLE proof (             -- digits that Message-IDs of ours about it have
	digits     TEXT NOT NULL CHECK (length(digits) = 8),
	regression INTEGER NOT NULL REFERENCES regression,
	PRIMARY KEY (digits, regression)
) STRICT, WITHOUT ROWID;
CREATE INDEX proof_by_regression ON proof (regression);

CREATE TABLE report (            -- a robot mail's facts; also of one known from a quote
	id         INTEGER PRIMARY KEY,
	origin     TEXT NOT NULL CHECK (origin IN
	           ('own',       -- ours
	            'seen',      -- another robot's
	            'quote')),   -- never seen, but somebody quoted it
	message    INTEGER REFERENCES message, -- NULL: quoted without a trace of its id
	quoted_by  INTEGER REFERENCES message,
	mail       TEXT NOT NULL CHECK (mail IN
	           ('report', 'followup', 'retest', 'retract', 'remind')),
	regression INTEGER REFERENCES regression, -- which it belongs to
	own_id     TEXT NOT NULL CHECK (length(own_id) = 40), -- ID by its own facts
	culprit    TEXT NOT NULL, -- first ten digits; fewer if no more are known, and
	                          -- either none or several commits go on with them
	live       INTEGER NOT NULL CHECK (live IN (0, 1)), -- sent or seen
	at         INTEGER NOT NULL, -- of the mail
	"commit"   TEXT,
	subject    TEXT,         -- of the commit
	tree       TEXT,
	branch     TEXT,
	url        TEXT,
	base       TEXT,
	config     TEXT,
	compiler   TEXT,
	generation INTEGER NOT NULL DEFAULT 0,
	outcome    TEXT CHECK (outcome IN ('fixed', 'partial', 'not-fixed', 'worse')), -- retest
	counts     INTEGER NOT NULL DEFAULT 1 CHECK (counts IN (0, 1)),
	           -- 0: of somebody else than the robot that reported it first, and no
	           -- robot of the configuration: it is shown, and decides nothing
	CHECK ((origin = 'quote') = (quoted_by IS NOT NULL)),
	CHECK (origin <> 'quote' OR live = 0),
	CHECK (message IS NOT NULL OR origin = 'quote')
) STRICT;
CREATE UNIQUE INDEX report_by_message ON report (message) WHERE origin <> 'quote';
CREATE UNIQUE INDEX report_by_quote ON report (quoted_by) WHERE origin = 'quote';
CREATE INDEX report_target ON report (message);
CREATE INDEX report_by_regression ON report (regression);
CREATE INDEX report_by_culprit ON report (culprit);
CREATE INDEX report_short ON report ("commit") WHERE length("commit") < 10;

CREATE TABLE finding (           -- one measured change that a report states
	report    INTEGER NOT NULL REFERENCES report,
	position  INTEGER NOT NULL, -- 0: the headline; else rows of the impact table
	testcase  TEXT,
	metric    TEXT,
	machine   TEXT,
	kind      TEXT CHECK (kind IN ('regression', 'improvement', 'failure')),
	change    REAL,          -- percent; negative = the value fell
	ci_low    REAL,
	ci_high   REAL,
	p         REAL,
	PRIMARY KEY (report, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding_parameter (
	report    INTEGER NOT NULL,
	position  INTEGER NOT NULL,
	number    INTEGER NOT NULL, -- order in the report
	name      TEXT NOT NULL,
	value     TEXT NOT NULL,
	PRIMARY KEY (report, position, number),
	FOREIGN KEY (report, position) REFERENCES finding
) STRICT, WITHOUT ROWID;

CREATE TABLE run_column (        -- a compared commit of one of our reports
	report   INTEGER NOT NULL REFERENCES report,
	position INTEGER NOT NULL, -- 0 = base
	"commit" TEXT,
	label    TEXT,
	runs     INTEGER NOT NULL,
	culprit  INTEGER NOT NULL CHECK (culprit IN (0, 1)),
	PRIMARY KEY (report, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_data (          -- samples of a metric in one column
	report   INTEGER NOT NULL,
	position INTEGER NOT NULL,
	metric   TEXT NOT NULL,
	samples  BLOB NOT NULL,  -- doubles, little-endian, one a run; empty: only a summary
	kinds    BLOB NOT NULL,  -- a byte a run: 0 absent, 1 integer, 2 float
	mean     REAL,
	stddev   REAL,
	runs     INTEGER NOT NULL,
	PRIMARY KEY (report, position, metric),
	FOREIGN KEY (report, position) REFERENCES run_column
) STRICT, WITHOUT ROWID;

CREATE TABLE report_forced (     -- checks that the operator overrode
	report INTEGER NOT NULL REFERENCES report,
	name   TEXT NOT NULL,
	reason TEXT NOT NULL CHECK (reason <> ''),
	PRIMARY KEY (report, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE person (            -- whom a report addressed: authors and maintainers
	report  INTEGER NOT NULL REFERENCES report,
	role    TEXT NOT NULL CHECK (role IN ('author', 'maintainer')),
	name    TEXT,
	address TEXT,
	signer  INTEGER NOT NULL DEFAULT 0 CHECK (signer IN (0, 1)), -- may command
	CHECK (name IS NOT NULL OR address IS NOT NULL)
) STRICT;
CREATE INDEX person_by_report ON person (report);

CREATE TABLE robot (             -- addresses that have sent a robot report
	address TEXT PRIMARY KEY -- lower case
) STRICT, WITHOUT ROWID;

CREATE TABLE link (              -- which regression a mail is about, and why we think so
	message    INTEGER NOT NULL REFERENCES message,
	regression INTEGER NOT NULL REFERENCES regression,
	report     INTEGER REFERENCES message, -- the report that it answers
	key        TEXT NOT NULL CHECK (key IN
	           ('report', 'in-reply-to', 'references', 'chain', 'own-id', 'id-line',
	            'url', 'quote', 'subject')),
	confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
	acts       INTEGER NOT NULL CHECK (acts IN (0, 1)), -- 0: only a suggestion
	PRIMARY KEY (message, regression)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_by_regression ON link (regression);

CREATE TABLE verdict (           -- what a mail decides, with its words
	message    INTEGER NOT NULL REFERENCES message,
	position   INTEGER NOT NULL, -- 0 = primary
	verdict    TEXT NOT NULL CHECK (verdict IN
	           ('ack', 'analysis', 'question', 'expected', 'ignored', 'invalid',
	            'not-reproducible', 'patch', 'fixed', 'dropped', 'duplicate', 'disputed',
	            'test-result', 'info', 'thanks', 'none')),
	confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
	outcome    TEXT CHECK (outcome IN ('fixed', 'partial', 'not-fixed', 'worse')),
	evidence   TEXT NOT NULL CHECK (evidence <> ''),
	at         INTEGER NOT NULL, -- offset in the text
	rule       TEXT NOT NULL,
	PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE mechanism (         -- why it happens, as a mail explains it
	message  INTEGER NOT NULL REFERENCES message,
	position INTEGER NOT NULL,
	kind     TEXT NOT NULL,  -- 'lock-contention' ...
	object   TEXT,           -- 'tasklist_lock'
	evidence TEXT NOT NULL CHECK (evidence <> ''),
	at       INTEGER NOT NULL,
	PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX mechanism_by_kind ON mechanism (kind);
CREATE INDEX mechanism_by_object ON mechanism (object COLLATE NOCASE);

CREATE TABLE command (           -- '#regtrail ...' lines
	message   INTEGER NOT NULL REFERENCES message,
	position  INTEGER NOT NULL,
	prefix    TEXT NOT NULL,
	verb      TEXT NOT NULL,
	arguments TEXT NOT NULL,
	line      INTEGER NOT NULL,
	problem   TEXT,          -- why it cannot be carried out; NULL if it can
	result    TEXT NOT NULL DEFAULT '', -- what came of it, for people
	PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE trailer (           -- trailers that the author of a mail gave
	message  INTEGER NOT NULL REFERENCES message,
	position INTEGER NOT NULL,
	name     TEXT NOT NULL,
	value    TEXT NOT NULL,
	PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE patch (             -- a patch that a mail offers
	message  INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
	position INTEGER NOT NULL,
	form     TEXT NOT NULL CHECK (form IN
	         ('mail',        -- the mail is one, as git send-email makes it
	          'inline', 'scissors', 'attached',
	          'branch')),    -- only where to pull it from is said
	title    TEXT,           -- of its commit; NULL = none is given
	written  INTEGER NOT NULL DEFAULT 0, -- the author's date, which applying it keeps
	url      TEXT,           -- branch: of the repository
	branch   TEXT,
	problem  TEXT,           -- why git am cannot take it; NULL = it may
	PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE notice (            -- a bot's mail: that commit is in that tree now
	message  INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
	position INTEGER NOT NULL,
	tree     TEXT NOT NULL,  -- as the bot names it
	branch   TEXT,
	mainline INTEGER NOT NULL CHECK (mainline IN (0, 1)),
	"commit" TEXT,
	subject  TEXT,           -- of the commit
	evidence TEXT NOT NULL CHECK (evidence <> ''), -- the line that says so
	PRIMARY KEY (message, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE act (               -- what the operator did; commands that were obeyed too
	id         INTEGER PRIMARY KEY,
	regression INTEGER NOT NULL REFERENCES regression,
	at         INTEGER NOT NULL,
	kind       TEXT NOT NULL CHECK (kind IN
	           ('confirm', 'reject', 'set', 'reopen', 'undo', 'dup', 'undup', 'note')),
	status     TEXT CHECK (status IN
	           ('reported', 'acknowledged', 'needs-info', 'investigating', 'fix-posted',
	            'fix-queued', 'fixed', 'expected', 'ignored', 'invalid',
	            'not-reproducible', 'duplicate', 'dropped')),
	who        TEXT NOT NULL CHECK (who <> ''),
	reason     TEXT NOT NULL CHECK (reason <> ''), -- the evidence of its event
	other      INTEGER REFERENCES regression, -- dup
	message    INTEGER REFERENCES message, -- confirm, reject: whose suggestion;
	                                       -- undo: whose verdicts are taken back
	undoes     INTEGER REFERENCES act,
	CHECK (kind <> 'set' OR status IS NOT NULL),
	CHECK (kind <> 'dup' OR other IS NOT NULL)
) STRICT;
CREATE INDEX act_by_regression ON act (regression);
CREATE TRIGGER act_update BEFORE UPDATE ON act
	BEGIN SELECT raise(ABORT, 'acts are never edited'); END;
CREATE TRIGGER act_delete BEFORE DELETE ON act
	BEGIN SELECT raise(ABORT, 'acts are never deleted'); END;

CREATE TABLE fix (               -- what scans of git trees saw of fixes and culprits
	id         INTEGER PRIMARY KEY,
	regression INTEGER NOT NULL REFERENCES regression,
	at         INTEGER NOT NULL,
	state      TEXT NOT NULL CHECK (state IN
	           ('posted', 'queued', 'merged', -- by how near the tree is to users
	            'hint',        -- it may be one; decides nothing
	            'gone',        -- the culprit left all trees
	            'back')),      -- and is in one again
	rule       TEXT NOT NULL DEFAULT '', -- by which word of the commit: 'closes' ...
	"commit"   TEXT,
	subject    TEXT,
	tree       TEXT,         -- and branch
	evidence   TEXT NOT NULL CHECK (evidence <> '')
) STRICT;
CREATE UNIQUE INDEX fix_once ON fix (regression, state, "commit", tree)
	WHERE state NOT IN ('gone', 'back');
CREATE INDEX fix_by_regression ON fix (regression);

CREATE TABLE tree_commit (       -- a culprit in a tree, or the same patch under another hash
	tree       TEXT NOT NULL,
	branch     TEXT NOT NULL,
	"commit"   TEXT NOT NULL, -- all digits
	regression INTEGER NOT NULL REFERENCES regression,
	copy       INTEGER NOT NULL CHECK (copy IN (0, 1)), -- no report names this hash
	patch      TEXT,         -- git's patch-id; NULL = unknown
	seen       INTEGER NOT NULL, -- by which scan first
	gone       INTEGER,      -- since which scan it is not there; NULL: it is
	PRIMARY KEY (tree, branch, "commit", regression)
) STRICT, WITHOUT ROWID;
CREATE INDEX tree_commit_by_regression ON tree_commit (regression);

CREATE TABLE tree_asked (        -- what a tree was looked through for, up to its cursor
	tree       TEXT NOT NULL,
	branch     TEXT NOT NULL,
	regression INTEGER NOT NULL REFERENCES regression,
	digest     INTEGER NOT NULL, -- keyed hash of all that could name it then
	PRIMARY KEY (tree, branch, regression)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (             -- append-only history; status = that of the newest row
	id         INTEGER PRIMARY KEY,
	regression INTEGER NOT NULL REFERENCES regression,
	at         INTEGER NOT NULL, -- of the evidence; of a correction: when it was made
	recorded   INTEGER NOT NULL, -- when we learned it
	status     TEXT NOT NULL CHECK (status IN
	           ('reported', 'acknowledged', 'needs-info', 'investigating', 'fix-posted',
	            'fix-queued', 'fixed', 'expected', 'ignored', 'invalid',
	            'not-reproducible', 'duplicate', 'dropped')),
	kind       TEXT NOT NULL CHECK (kind IN
	           ('report', 'verdict', 'suggestion', 'command', 'scan', 'confirm', 'reject',
	            'set', 'reopen', 'undo', 'dup', 'undup', 'note', 'correction')),
	actor      TEXT NOT NULL, -- who, as shown
	role       TEXT NOT NULL CHECK (role IN
	           ('author', 'maintainer', 'operator', 'robot-team', 'robot', 'bot', 'other')),
	rule       TEXT NOT NULL, -- which verdict, act or rule of the parser
	message    INTEGER REFERENCES message,
	act        INTEGER REFERENCES act,
	evidence   TEXT NOT NULL CHECK (evidence <> ''),
	suggested  TEXT CHECK (suggested IN
	           ('reported', 'fixed', 'expected', 'ignored', 'invalid',
	            'not-reproducible', 'duplicate', 'dropped')) -- by a suggestion
) STRICT;
CREATE INDEX event_by_regression ON event (regression);
CREATE INDEX event_by_message ON event (message) WHERE message IS NOT NULL;
CREATE TRIGGER event_update BEFORE UPDATE ON event
	WHEN new.evidence <> '(forgotten)' OR new.id <> old.id OR new.status <> old.status
	     OR new.regression <> old.regression OR new.at <> old.at
	BEGIN SELECT raise(ABORT, 'events are never edited'); END;
CREATE TRIGGER event_delete BEFORE DELETE ON event
	BEGIN SELECT raise(ABORT, 'events are never deleted'); END;

CREATE TABLE suggestion (        -- what a mail suggests and nobody has decided yet
	regression INTEGER NOT NULL REFERENCES regression,
	message    INTEGER NOT NULL REFERENCES message,
	status     TEXT NOT NULL CHECK (status IN
	           ('reported',  -- a closed one, again
	            'fixed', 'expected', 'ignored', 'invalid', 'not-reproducible', 'duplicate',
	            'dropped')),
	role       TEXT NOT NULL CHECK (role IN
	           ('author', 'maintainer', 'operator', 'robot-team', 'robot', 'other')),
	weight     INTEGER NOT NULL, -- what is shown first: author 0 ... other 3
	author     TEXT NOT NULL,
	quote      TEXT NOT NULL CHECK (quote <> ''),
	at         INTEGER NOT NULL,
	PRIMARY KEY (regression, message, status)
) STRICT, WITHOUT ROWID;

-- Closed ones that wait for the operator.
CREATE INDEX suggestion_again ON suggestion (regression) WHERE status = 'reported';

CREATE TABLE attribute (         -- what commands say of a regression beside its status
	regression INTEGER NOT NULL REFERENCES regression,
	name       TEXT NOT NULL CHECK (name IN
	           ('title', 'owner', 'priority', 'backburner', 'reminders')),
	value      TEXT NOT NULL,
	PRIMARY KEY (regression, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (            -- mail to hand to a server
	id         INTEGER PRIMARY KEY,
	message    INTEGER NOT NULL UNIQUE REFERENCES message,
	regression INTEGER REFERENCES regression, -- NULL: a digest
	mail       TEXT NOT NULL CHECK (mail IN
	           ('report', 'followup', 'retest', 'retract', 'remind', 'digest')),
	revision   INTEGER NOT NULL,
	state      TEXT NOT NULL CHECK (state IN
	           ('draft', 'approved', 'sending', 'sent', 'rejected', 'unknown',
	            'cancelled')),
	sender     TEXT NOT NULL,
	content    TEXT NOT NULL, -- hash of subject and body but for the Message-ID
	eight_bit  BLOB,         -- compressed; NULL: a line is too long for it
	quoted_printable BLOB NOT NULL, -- compressed
	created    INTEGER NOT NULL,
	changed    INTEGER NOT NULL,
	next_at    INTEGER NOT NULL, -- do not try before, unless that is days away
	attempts   INTEGER NOT NULL DEFAULT 0,
	detail     TEXT,         -- the last words of a server
	returned   INTEGER NOT NULL DEFAULT 0, -- came back from a list: it did leave
	fcc        TEXT          -- where a copy has yet to be filed
) STRICT;
CREATE INDEX outbox_by_state ON outbox (state);
CREATE INDEX outbox_by_regression ON outbox (regression);
CREATE TRIGGER outbox_step BEFORE UPDATE OF state ON outbox
	WHEN (old.state || ' ' || new.state) NOT IN
	     ('draft approved', 'draft cancelled', 'approved cancelled', 'approved sending',
	      'sending sent', 'sending rejected', 'sending unknown', 'sending approved',
	      'rejected approved', 'unknown approved', 'unknown sent',
	      'draft sent', 'approved sent', 'rejected sent', 'cancelled sent', 'sent sent')
	BEGIN SELECT raise(ABORT, 'not a step that mail can take'); END;

CREATE TABLE outbox_recipient (
	outbox  INTEGER NOT NULL REFERENCES outbox,
	address TEXT NOT NULL,   -- bare
	state   TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN
	        ('waiting', 'sent', 'rejected', 'unknown', 'bounced')),
	at      INTEGER NOT NULL DEFAULT 0, -- of the last try, or of the bounce
	detail  TEXT,            -- the last words about it
	PRIMARY KEY (outbox, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_recipient_sent ON outbox_recipient (at) WHERE state = 'sent';

CREATE TABLE digest (            -- weekly mails, so that the next one can tell what is new
	id      INTEGER PRIMARY KEY,
	message INTEGER NOT NULL UNIQUE REFERENCES message, -- it counts once that is sent
	scope   TEXT NOT NULL,   -- 'all', or the name of its group in the configuration
	at      INTEGER NOT NULL -- the clock that it was made by
) STRICT;
CREATE INDEX digest_by_scope ON digest (scope, at);

CREATE TABLE digest_entry (      -- what it said of one open regression
	digest     INTEGER NOT NULL REFERENCES digest,
	regression INTEGER NOT NULL REFERENCES regression,
	status     TEXT NOT NULL CHECK (status IN
	           ('reported', 'acknowledged', 'needs-info', 'investigating', 'fix-posted',
	            'fix-queued')),
	replies    INTEGER NOT NULL,
	quiet      INTEGER NOT NULL CHECK (quiet IN (0, 1)), -- nobody had said anything
	PRIMARY KEY (digest, regression)
) STRICT, WITHOUT ROWID;

CREATE TABLE reminder_stop (     -- who asked by mail never to be reminded of anything
	hash INTEGER PRIMARY KEY, -- keyed hash of the address: it outlives that of `forget`
	at   INTEGER NOT NULL    -- when we learned it
) STRICT;
