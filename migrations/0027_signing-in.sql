-- Up Migration

-- Attempts to sign in that failed or are under way, by what they have in common: an account that there may be or not, a
-- network, a browser. A hash, because people type passwords into every field. No tenant's: a guesser's network guesses at
-- many. Requests reach it by these functions alone; `moment` is the clock of the process that asks.
create table sign_in_failures (
  subject bytea primary key,
  failures integer not null,
  failed_at timestamptz not null
);

-- Counts an attempt as failed before it is made, so that many at once do not slip through. It is made only where no row is
-- answered; else it is not counted, and the rows say who has to wait, and until when. After `free` failures the wait is 1
-- second, and with each further failure twice as long, up to 15 minutes. A day without failures is a new beginning.
create function count_sign_in(subjects bytea[], free integer[], moment timestamptz)
  returns table (waiting bytea, waits_until timestamptz)
  language plpgsql volatile security definer rows 1
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  -- In one order everywhere: two attempts with several subjects in common must not wait for each other.
  perform from public.sign_in_failures f where f.subject = any(subjects) order by f.subject for update;
  return query
    select failed.subject, failed.until
    from (
      select f.subject, f.failed_at + interval '1 second' * least(900, 2 ^ least(f.failures - s.free, 20)) as until
      from unnest(subjects, free) as s (subject, free) join public.sign_in_failures f on f.subject = s.subject
      where f.failures >= s.free and f.failed_at > moment - interval '1 day'
    ) failed
    where failed.until > moment;
  if found then return; end if;
  insert into public.sign_in_failures as f (subject, failures, failed_at)
  select s.subject, 1, moment from unnest(subjects) as s (subject) order by s.subject
  on conflict (subject) do update set
    failures = case when f.failed_at > moment - interval '1 day' then f.failures + 1 else 1 end,
    failed_at = excluded.failed_at;
end
$$;

-- After an attempt that was right: begins anew with some subjects, and takes the attempt back from others.
create function forgive_sign_in(cleared bytea[], lowered bytea[]) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  perform from public.sign_in_failures f where f.subject = any(cleared || lowered) order by f.subject for update;
  delete from public.sign_in_failures f where f.subject = any(cleared);
  update public.sign_in_failures f set failures = greatest(f.failures - 1, 0) where f.subject = any(lowered);
end
$$;

-- Keeps the table bounded, whatever is guessed: forgets the failures of before a day ago, and the fewest and oldest beyond
-- so many.
create function forget_sign_ins(moment timestamptz, keep bigint) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  delete from public.sign_in_failures f where f.failed_at <= moment - interval '1 day';
  delete from public.sign_in_failures f where f.subject in (
    select kept.subject from public.sign_in_failures kept order by kept.failures desc, kept.failed_at desc offset keep
  );
end
$$;

-- What opens a second factor when the telephone is lost, each once.
create table recovery_codes (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  user_id bigint not null,
  code_hash bytea not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('recovery_codes');
alter table recovery_codes add foreign key (tenant_id, user_id) references users (tenant_id, id);
create index recovery_codes_of_user on recovery_codes (tenant_id, user_id);

create table invitations (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  -- The SHA-256 of the token in the link.
  token_hash bytea not null,
  invited_by bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  primary key (tenant_id, id)
);
call protect_tenant_table('invitations');
alter table invitations add foreign key (tenant_id, invited_by) references users (tenant_id, id);
create unique index invitations_open on invitations (tenant_id, lower(email)) where accepted_at is null and revoked_at is null;
create index invitations_by_token on invitations (token_hash);

-- As session_of_token: the tenant of an invitation is known by its token alone.
create function invitation_of_token(hash bytea) returns table (tenant_id bigint, id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  return query select i.tenant_id, i.id from public.invitations i where i.token_hash = hash;
end
$$;

-- The installation's own people, who belong to no tenant. Only the owner of the tables reads and writes them.
create table operators (
  id bigserial primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default now()
);
create unique index operators_email on operators (lower(email));

create table operator_sessions (
  id bigserial primary key,
  operator_id bigint not null references operators (id),
  token_hash bytea not null unique,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null
);

-- The ids of a token's session and operator: all that requests may ask of them.
create function operator_session_of_token(hash bytea) returns table (id bigint, operator_id bigint)
  language plpgsql stable security definer rows 1
  set search_path = pg_catalog, public, pg_temp
as $$
begin
  return query select s.id, s.operator_id from public.operator_sessions s where s.token_hash = hash;
end
$$;

revoke all on function
  count_sign_in, forgive_sign_in, forget_sign_ins, invitation_of_token, operator_session_of_token from public;
grant execute on function
  count_sign_in, forgive_sign_in, forget_sign_ins, invitation_of_token, operator_session_of_token to liaison_app;
grant usage on all sequences in schema public to liaison_app;
