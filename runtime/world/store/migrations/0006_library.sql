-- The documents of one collection, in a file of its own beside the approvals. hash names the bytes of a file and how
-- they were read; documents are those of the version that is published, contents also what a run has made so far.
CREATE TABLE library (
	one       INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
	version   TEXT    NOT NULL,
	published INTEGER NOT NULL, -- Unix milliseconds
	passages  INTEGER NOT NULL,
	origin    TEXT    NOT NULL -- JSON
) STRICT;
CREATE TABLE library_contents (
	hash   TEXT NOT NULL PRIMARY KEY,
	title  TEXT NOT NULL,
	kind   TEXT NOT NULL,
	note   TEXT NOT NULL,
	text   TEXT NOT NULL,
	chunks TEXT NOT NULL -- JSON
) STRICT;
CREATE TABLE library_documents (
	uri      TEXT    NOT NULL PRIMARY KEY,
	id       TEXT    NOT NULL,
	content  TEXT    NOT NULL,
	version  TEXT    NOT NULL,
	title    TEXT    NOT NULL,
	kind     TEXT    NOT NULL,
	note     TEXT    NOT NULL,
	size     INTEGER NOT NULL,
	modified INTEGER NOT NULL, -- Unix milliseconds
	stamp    TEXT    NOT NULL,
	first    INTEGER NOT NULL,
	chunks   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE library_index (
	piece INTEGER NOT NULL PRIMARY KEY,
	data  BLOB    NOT NULL
) STRICT;
CREATE TABLE library_jobs (
	key      TEXT    NOT NULL PRIMARY KEY, -- collection:hash:stage
	hash     TEXT    NOT NULL,
	stage    TEXT    NOT NULL,
	uri      TEXT    NOT NULL,
	state    TEXT    NOT NULL,
	attempts INTEGER NOT NULL,
	error    TEXT    NOT NULL,
	ended    INTEGER NOT NULL, -- Unix milliseconds
	took     INTEGER NOT NULL  -- microseconds
) STRICT;
CREATE INDEX library_jobs_state ON library_jobs (state, ended);
