-- Up Migration

-- How an import's file is read: the encoding of its text, what stands between its cells, and whether an empty cell empties a field.
alter table imports add column encoding text not null default 'utf-8';
alter table imports add column delimiter text not null default ',';
alter table imports add column clears_empty boolean not null default true;
