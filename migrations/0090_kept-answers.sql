-- Up Migration

-- The answers of requests that came with a key of their own (Idempotency-Key), each committed with the write that it tells of
-- (docs/decisions/0058-kept-answers.md).
create table kept_answers (
  -- No reference to tenants: the row that was written has one, and a second check would cost each write.
  tenant_id bigint not null,
  id bigserial not null,
  api_key_id bigint not null,
  key text not null,
  -- SHA-256 of the method, the path and the bytes of the body.
  request bytea not null,
  status smallint not null,
  -- What the row is, as src/kept-answers/kinds.ts names it; null: the whole answer is in `secret`.
  kind text,
  -- The row as the write returned it: PostgreSQL's text by column, as JSON, without nulls. Those of its columns that are stored encrypted
  -- stand beside it, as they do in their own table.
  answer text,
  phone text,
  mobile text,
  secret text,
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, api_key_id, key)
);
create index kept_answers_by_age on kept_answers (tenant_id, at);
call protect_tenant_table('kept_answers');
grant usage on all sequences in schema public to liaison_app;

-- Claims keys of requests (Idempotency-Key) for a transaction that is about to write what they ask for: it fails with LN002 where
-- another transaction has one of them. Nobody waits: whoever comes second is told so, and asks again. Whether a key is answered already,
-- the index of the answers says when the next is kept: a look here would cost every request as much as keeping its answer.
create or replace function claim_answers(tenant bigint, entries json) returns void
  language plpgsql
as $$
begin
  perform from json_to_recordset(entries) as e (kept_api_key bigint, kept_key text)
  where not pg_try_advisory_xact_lock(7261963, hashtext(concat_ws('/', tenant, e.kept_api_key, e.kept_key)));
  if found then
    raise exception using errcode = 'LN002', message = 'a request with this key is in progress';
  end if;
end
$$;
