-- What a run wrote is found by others that are running: a run numbers its batches from 1. Those before now have none.
ALTER TABLE usage_runs ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;    -- the last one
ALTER TABLE usage_runs ADD COLUMN process TEXT NOT NULL DEFAULT '';    -- a digest of the machine, and the process there
ALTER TABLE usage_sessions ADD COLUMN batch INTEGER NOT NULL DEFAULT 0; -- the last one that it was in
ALTER TABLE usage_calls ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
CREATE INDEX usage_runs_written ON usage_runs (written);
CREATE INDEX usage_sessions_batch ON usage_sessions (run, batch);
