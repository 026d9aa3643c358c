-- Which upstream tools sessions were offered and called. It stands in a file of its own beside the approvals.
CREATE TABLE usage_runs (
	id      TEXT    NOT NULL PRIMARY KEY,
	started INTEGER NOT NULL, -- Unix milliseconds, as all times here
	written INTEGER NOT NULL,
	ended   INTEGER NOT NULL, -- 0 for one that runs or was killed
	told    INTEGER NOT NULL DEFAULT 0 -- 1: it was said that it was killed
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_sessions (
	id      TEXT    NOT NULL PRIMARY KEY,
	run     TEXT    NOT NULL,
	profile TEXT    NOT NULL,
	client  TEXT    NOT NULL,
	era     TEXT    NOT NULL,
	started INTEGER NOT NULL,
	ended   INTEGER NOT NULL,
	offered INTEGER NOT NULL,
	shown   TEXT    NOT NULL -- a JSON array of "server/tool"
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_sessions_ended ON usage_sessions (ended);
CREATE TABLE usage_calls (
	session   TEXT    NOT NULL,
	number    INTEGER NOT NULL,
	server    TEXT    NOT NULL,
	tool      TEXT    NOT NULL,
	arguments TEXT    NOT NULL, -- a keyed digest, or empty
	at        INTEGER NOT NULL,
	elapsed   INTEGER NOT NULL, -- microseconds
	ok        INTEGER NOT NULL,
	hidden    INTEGER NOT NULL,
	PRIMARY KEY (session, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_salts (
	salt BLOB NOT NULL -- one row: the key of digests
) STRICT;
