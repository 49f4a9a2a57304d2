-- Up Migration

-- A resource's changes are listed by their time. On a cluster each node draws ids from a range of its own, so that those
-- of a tenant that was moved are not in the order of its changes; a resource's times always are.
create index changes_of_resource_in_time on changes (tenant_id, type, resource_id, at, id);
drop index changes_of_resource;
