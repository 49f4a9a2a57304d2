-- Claims the Idempotency-Keys of a transaction before its writes, or fails with LN002 if another transaction has one of
-- them. Nobody waits: the client retries. Whether a key has an answer already, the unique index decides when the answer
-- is stored: to look here would cost each request as much again.
create or replace function claim_answers(tenant bigint, entries json) returns void language plpgsql as $$
begin
  perform from json_to_recordset(entries) as e (kept_api_key bigint, kept_key text)
  where not pg_try_advisory_xact_lock(7261963, hashtext(concat_ws('/', tenant, e.kept_api_key, e.kept_key)));
  if found then
    raise exception using errcode = 'LN002', message = 'a request with this key is in progress';
  end if;
end
$$;
