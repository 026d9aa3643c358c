-- What happened in the sessions of clients. It stands in a file of its own beside the approvals, which it must not
-- slow or endanger. body is JSON; find holds the words that a search looks at, in small letters.
CREATE TABLE sessions (
	id    TEXT    NOT NULL PRIMARY KEY,
	last  INTEGER NOT NULL, -- Unix milliseconds
	find  TEXT    NOT NULL,
	body  BLOB    NOT NULL
) STRICT;
CREATE INDEX sessions_last ON sessions (last);
CREATE TABLE spans (
	session  TEXT    NOT NULL,
	started  INTEGER NOT NULL, -- Unix microseconds
	id       TEXT    NOT NULL,
	find     TEXT    NOT NULL,
	original INTEGER NOT NULL, -- tokens of a result that was summarized; 0 for others
	given    INTEGER NOT NULL,
	body     BLOB    NOT NULL
) STRICT;
CREATE INDEX spans_session ON spans (session, started);
CREATE INDEX spans_saved ON spans (started) WHERE original > 0;
