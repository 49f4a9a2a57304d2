-- A link with an instance that somebody brings along is followed from now on.
create or replace function follow_given_order() returns trigger language plpgsql as $$
begin
  new.wms_poll_at := now();
  return new;
end
$$;
