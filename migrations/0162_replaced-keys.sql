-- Keys that were replaced by another one, and that work for one more day.

alter table api_keys add column replaced_at timestamptz;
