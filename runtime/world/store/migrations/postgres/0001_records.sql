-- The same records as in SQLite; what each is for is said there. Names are ordered by their bytes, as SQLite orders them.
CREATE TABLE pins (
	server       TEXT COLLATE "C" NOT NULL,
	tool         TEXT COLLATE "C" NOT NULL,
	hash         TEXT   NOT NULL,
	state        TEXT   NOT NULL,
	seen         BIGINT NOT NULL, -- Unix milliseconds; 0 is never
	decided      BIGINT NOT NULL,
	definition   BYTEA  NOT NULL,
	offered      BYTEA  NOT NULL,
	offered_hash TEXT   NOT NULL,
	sum          BIGINT NOT NULL,
	PRIMARY KEY (server, tool)
);
CREATE TABLE catalogs (
	server  TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	key     TEXT   NOT NULL,
	fetched BIGINT NOT NULL, -- Unix milliseconds
	body    BYTEA  NOT NULL
);
CREATE TABLE uses (
	server TEXT COLLATE "C" NOT NULL,
	tool   TEXT COLLATE "C" NOT NULL,
	count  BIGINT NOT NULL,
	failed BIGINT NOT NULL,
	last   BIGINT NOT NULL, -- Unix milliseconds
	PRIMARY KEY (server, tool)
);
-- The batches that were added to sums. One whose commit was not answered is sent again, and must not count twice.
CREATE TABLE batches (
	id TEXT   NOT NULL PRIMARY KEY,
	at BIGINT NOT NULL -- Unix seconds, of the server
);
CREATE INDEX batches_at ON batches (at);
CREATE TABLE sessions (
	id   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	last BIGINT NOT NULL, -- Unix milliseconds
	find TEXT   NOT NULL,
	body BYTEA  NOT NULL
);
CREATE INDEX sessions_last ON sessions (last);
CREATE TABLE spans (
	session  TEXT COLLATE "C" NOT NULL,
	started  BIGINT NOT NULL, -- Unix microseconds
	id       TEXT COLLATE "C" NOT NULL,
	find     TEXT   NOT NULL,
	original BIGINT NOT NULL,
	given    BIGINT NOT NULL,
	body     BYTEA  NOT NULL,
	rowid    BIGINT GENERATED ALWAYS AS IDENTITY, -- the order in which they came, by SQLite's name
	UNIQUE (session, id) -- one that is sent again is there once
);
CREATE INDEX spans_session ON spans (session, started);
CREATE INDEX spans_saved ON spans (started) WHERE original > 0;
CREATE TABLE usage_runs (
	id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	started BIGINT NOT NULL, -- Unix milliseconds
	written BIGINT NOT NULL,
	ended   BIGINT NOT NULL,
	told    BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE usage_sessions (
	id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	run     TEXT   NOT NULL,
	profile TEXT   NOT NULL,
	client  TEXT   NOT NULL,
	era     TEXT   NOT NULL,
	started BIGINT NOT NULL,
	ended   BIGINT NOT NULL,
	offered BIGINT NOT NULL,
	shown   TEXT   NOT NULL
);
CREATE INDEX usage_sessions_ended ON usage_sessions (ended);
CREATE TABLE usage_calls (
	session   TEXT COLLATE "C" NOT NULL,
	number    BIGINT NOT NULL,
	server    TEXT   NOT NULL,
	tool      TEXT   NOT NULL,
	arguments TEXT   NOT NULL,
	at        BIGINT NOT NULL,
	elapsed   BIGINT NOT NULL, -- microseconds
	ok        BOOLEAN NOT NULL,
	hidden    BOOLEAN NOT NULL,
	PRIMARY KEY (session, number)
);
CREATE INDEX usage_calls_at ON usage_calls (at);
CREATE TABLE usage_marks (
	profile  TEXT COLLATE "C" NOT NULL,
	client   TEXT COLLATE "C" NOT NULL,
	tool     TEXT COLLATE "C" NOT NULL,
	relevant BOOLEAN NOT NULL,
	at       BIGINT NOT NULL,
	PRIMARY KEY (profile, client, tool)
);
CREATE TABLE usage_salts (
	salt BYTEA NOT NULL
);
