-- Up Migration

-- The language that a file's numbers and days are read in. The command line has none: its files are as documented.
alter table imports add column language text;
