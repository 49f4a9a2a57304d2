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
