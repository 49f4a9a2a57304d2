-- Up Migration

create extension if not exists unaccent;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- The role that requests work as. It owns nothing, so row-level security applies to it. Roles belong to the
-- cluster, not to the database: another database of the same cluster may have created it already, or be doing so now.
-- Whoever creates a role is a member of it, but since PostgreSQL 16 may not set it without a grant.
do $$
begin
  if not exists (select from pg_roles where rolname = 'liaison_app') then
    create role liaison_app nologin;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise insufficient_privilege using message = format(
      'the role %1$I may not create the role that requests work as; as a superuser run: create role liaison_app nologin; grant liaison_app to %1$I;',
      current_user);
end
$$;
do $$
begin
  if not pg_has_role('liaison_app', case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) then
    execute format('grant liaison_app to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise insufficient_privilege using message = format(
    'the role %1$I may not work as the role liaison_app; as a superuser run: grant liaison_app to %1$I;', current_user);
end
$$;
grant usage on schema public to liaison_app;

-- How text is compared by search: without case and without accents. unaccent() is only stable because its
-- dictionary could be edited; ours never is, and an index needs an immutable function.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFC)));

-- The LIKE pattern of a substring search. Escaped after folding: a full-width percent sign folds to a plain one.
create function search_pattern(value text) returns text
  language sql immutable strict parallel safe
  return '%' || replace(replace(replace(public.fold(value), '\', '\\'), '%', '\%'), '_', '\_') || '%';

-- The second tenancy wall, applied to every tenant-owned table by one call, so that no table gets half of it.
-- The policy compares with current_setting() directly: Citus rejects a sub-select here. After a transaction a
-- custom setting reads '' and not null, hence the nullif.
create procedure protect_tenant_table(tenant_table regclass)
  language plpgsql
as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy tenant on %s for all to liaison_app
       using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::bigint)
       with check (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::bigint)', tenant_table);
  execute format('grant select, insert, update, delete on %s to liaison_app', tenant_table);
end
$$;

-- Facts about the installation itself, such as the check value of the encryption keys. Owner only.
create table settings (
  name text primary key,
  value text not null
);

create table tenants (
  id bigserial primary key,
  slug text not null unique check (slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 63),
  name text not null,
  country text not null default 'Romania',
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);
grant select on tenants to liaison_app;

create table users (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  email text not null,
  name text not null,
  role text not null default 'member' check (role in ('admin', 'member')),
  password_hash text not null,
  deactivated_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_email on users (tenant_id, lower(email));

create table api_keys (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  name text not null,
  key_hash bytea not null,
  prefix text not null,
  last4 text not null,
  capabilities text[] not null,
  expires_at timestamptz,
  allow_ip text[] not null default '{}',
  rate integer check (rate >= 0),
  created_by bigint,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, key_hash),
  foreign key (tenant_id, created_by) references users (tenant_id, id)
);

call protect_tenant_table('users');
call protect_tenant_table('api_keys');
grant usage on all sequences in schema public to liaison_app;
