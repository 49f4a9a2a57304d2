-- Load functions: finish_jobs

-- An attempt that records what it is about to do makes sure first that no other worker has its job.
