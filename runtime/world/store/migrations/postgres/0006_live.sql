-- What a run wrote is found by others that are running; what that is for is said with SQLite's.
ALTER TABLE usage_runs ADD COLUMN batch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_runs ADD COLUMN process TEXT NOT NULL DEFAULT '';
ALTER TABLE usage_sessions ADD COLUMN batch BIGINT NOT NULL DEFAULT 0;
ALTER TABLE usage_calls ADD COLUMN batch BIGINT NOT NULL DEFAULT 0;
CREATE INDEX usage_runs_written ON usage_runs (written);
CREATE INDEX usage_sessions_batch ON usage_sessions (run, batch);
