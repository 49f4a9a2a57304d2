-- An order that comes with an instance is followed from now on.
create or replace function follow_given_order() returns trigger language plpgsql as $$
begin
  new.wms_poll_at := now();
  return new;
end
$$;
