-- The installation: the role of requests, settings, tenants, and failed attempts to sign in.

create extension if not exists unaccent;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Requests work as this role. It owns nothing, so row-level security applies to it. Roles belong to the cluster and not
-- to the database: another database of the cluster may have created it, or may be creating it now.
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
-- The creator of a role is a member of it, but since PostgreSQL 16 may not set it without a grant.
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

-- How text is compared.
-- Load functions: fold, search_pattern

-- What every tenant's table gets, and how its rows are looked up.
-- Load functions: plan_alike_for_tenants, protect_tenant_table, expect_nulls, moment_after

-- Facts about the installation, such as the check value of the encryption keys. Only the owner reads them.
create table settings (
  name text primary key,
  value text not null
);

-- The tenant 0, with an empty slug, is the installation's own workspace: its users are the operators. Its row is made
-- with the first operator (docs/decisions/0029-signing-in.md).
create table tenants (
  id bigserial primary key,
  slug text not null unique
    constraint tenants_slug_check
      check ((slug ~ '^[a-z0-9](-?[a-z0-9])*$' and length(slug) <= 63 and id > 0) or (slug = '' and id = 0)),
  name text not null,
  country text not null default 'Romania',
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  -- A session of a smaller number is over. A suspension raises it, so that no session comes back when the tenant is
  -- resumed (docs/decisions/0029-signing-in.md).
  session_epoch integer not null default 0,
  time_zone text not null default 'Europe/Bucharest',
  -- When orders may have been lost last: the database was restored from a backup and the tenant had gone on behind it.
  -- An invoice of before that is looked up in its warehouse before it is sent.
  orders_lost_at timestamptz,
  -- From then on the tenant is deleted in steps and cannot be resumed (docs/decisions/0066-deleting-a-tenant.md).
  deleting_at timestamptz,
  -- The slugs that the tenant had before, as its backups name them: warehouses know its earlier orders by these
  -- (docs/decisions/0060-tenants-beside-tenants.md).
  orders_lost_slugs text[] not null default '{}'
);
grant select on tenants to liaison_app;

-- Failed and running attempts to sign in, by what they have in common: an account (existing or not), a network, a
-- browser. As a hash, because people type passwords into every field. Without a tenant, because one network may guess
-- at many. Requests use its functions alone; their `moment` is the clock of the calling process.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null, failed_at timestamptz not null
);
-- Load functions: count_sign_in, forgive_sign_in, forget_sign_ins

revoke all on function count_sign_in, forgive_sign_in, forget_sign_ins from public;
grant execute on function count_sign_in, forgive_sign_in, forget_sign_ins to liaison_app;
grant usage on all sequences in schema public to liaison_app;
