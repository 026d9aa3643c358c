-- Quotes of documents that somebody pinned, in the words that may leave. home tells collections of one name apart.
CREATE TABLE notes (
	id         TEXT    NOT NULL PRIMARY KEY,
	account    TEXT    NOT NULL, -- the user of the system
	client     TEXT    NOT NULL, -- empty for all clients of the account
	collection TEXT    NOT NULL,
	home       TEXT    NOT NULL,
	uri        TEXT    NOT NULL,
	version    TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	section    TEXT    NOT NULL, -- JSON
	start      INTEGER NOT NULL, -- bytes of the document in that version
	stop       INTEGER NOT NULL,
	quote      TEXT    NOT NULL,
	note       TEXT    NOT NULL,
	tags       TEXT    NOT NULL, -- JSON
	at         INTEGER NOT NULL  -- Unix milliseconds
) STRICT, WITHOUT ROWID;
CREATE INDEX notes_owner ON notes (account, client, at);
