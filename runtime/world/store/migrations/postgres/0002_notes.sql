-- Quotes of documents that somebody pinned; what each column is for is said with SQLite's.
CREATE TABLE notes (
	id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	account    TEXT   NOT NULL,
	client     TEXT   NOT NULL,
	collection TEXT   NOT NULL,
	home       TEXT   NOT NULL,
	uri        TEXT   NOT NULL,
	version    TEXT   NOT NULL,
	title      TEXT   NOT NULL,
	section    TEXT   NOT NULL,
	start      BIGINT NOT NULL,
	stop       BIGINT NOT NULL,
	quote      TEXT   NOT NULL,
	note       TEXT   NOT NULL,
	tags       TEXT   NOT NULL,
	at         BIGINT NOT NULL -- Unix milliseconds
);
CREATE INDEX notes_owner ON notes (account, client, at);
