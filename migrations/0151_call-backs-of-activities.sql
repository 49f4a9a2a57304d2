-- Up Migration

-- The next call that an activity arranged, and the moment of the company's change that this was: the two are told as one.
alter table activities add column callback_date date;
alter table activities add column told_at timestamptz;
