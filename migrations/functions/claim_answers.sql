-- Claims the Idempotency-Keys of a transaction before its writes, or fails with LN002 if another transaction has one of
-- them. There is no wait: the client retries. Whether a key already has a stored answer is decided by the unique index
-- when the answer is stored: a check here would double the cost of each request.
create or replace function claim_answers(tenant bigint, entries json) returns void language plpgsql as $$
begin
  perform from json_to_recordset(entries) as e (kept_api_key bigint, kept_key text)
  where not pg_try_advisory_xact_lock(7261963, hashtext(concat_ws('/', tenant, e.kept_api_key, e.kept_key)));
  if found then
    raise exception using errcode = 'LN002', message = 'a request with this key is in progress';
  end if;
end
$$;
