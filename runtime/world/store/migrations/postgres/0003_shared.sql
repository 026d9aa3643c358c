CREATE TABLE shared_sessions (
	id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	version BIGINT  NOT NULL,
	at      BIGINT  NOT NULL, -- Unix milliseconds of the server's clock
	expires BIGINT  NOT NULL,
	ended   BOOLEAN NOT NULL,
	body    BYTEA   NOT NULL
);
CREATE INDEX shared_sessions_expires ON shared_sessions (expires);
CREATE TABLE shared_results (
	id      TEXT COLLATE "C" NOT NULL PRIMARY KEY,
	session TEXT COLLATE "C" NOT NULL,
	at      BIGINT NOT NULL,
	expires BIGINT NOT NULL,
	body    BYTEA  NOT NULL
);
ALTER TABLE shared_results ALTER COLUMN body SET STORAGE EXTERNAL; -- sealed bytes do not shrink
CREATE INDEX shared_results_session ON shared_results (session);
CREATE INDEX shared_results_expires ON shared_results (expires);
