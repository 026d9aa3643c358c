-- What sessions over HTTP remember, and long results, for other processes that serve the same clients. Names are digests
-- and bodies are sealed: runtime/shared says by what. It stands in a file of its own beside the approvals.
CREATE TABLE shared_sessions (
	id      TEXT    NOT NULL PRIMARY KEY,
	version INTEGER NOT NULL, -- grows with each change
	at      INTEGER NOT NULL, -- of the last change: Unix milliseconds of the database's clock
	expires INTEGER NOT NULL,
	ended   INTEGER NOT NULL, -- 1: its client ended it
	body    BLOB    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX shared_sessions_expires ON shared_sessions (expires);
CREATE TABLE shared_results (
	id      TEXT    NOT NULL PRIMARY KEY,
	session TEXT    NOT NULL,
	at      INTEGER NOT NULL,
	expires INTEGER NOT NULL,
	body    BLOB    NOT NULL
) STRICT;
CREATE INDEX shared_results_session ON shared_results (session);
CREATE INDEX shared_results_expires ON shared_results (expires);
