-- A link written over a sent or confirmed one comes from elsewhere, so the order is not ours.
create or replace function disown_order() returns trigger language plpgsql as $$
begin
  new.wms_owns_order := false;
  return new;
end
$$;
