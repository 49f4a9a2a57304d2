-- Up Migration

-- Loaded before the functions that call it.
-- Load functions: enqueue_jobs
