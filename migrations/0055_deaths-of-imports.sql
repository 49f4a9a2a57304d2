-- Up Migration

-- The attempts at an import that ended without a word, one after the other and without getting further, and how far it was when
-- the last one began: the rows that had an outcome by then.
alter table imports
  add column deaths integer not null default 0,
  add column reached bigint not null default 0;
