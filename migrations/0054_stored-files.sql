-- Up Migration

-- The bytes of an import's file that are in import_chunks, in whole pieces: a tenant's files share a quota. Zero once the file is removed.
alter table imports add column stored_bytes bigint not null default 0;
update imports set stored_bytes = bytes where forgotten_at is null and state <> 'undone';
create index imports_with_files on imports (tenant_id, stored_bytes) where stored_bytes > 0;

-- A cancelled import keeps no file.
update imports set stored_bytes = 0 where state = 'cancelled';
delete from import_chunks c using imports i
where i.tenant_id = c.tenant_id and i.id = c.import_id and i.state = 'cancelled';
