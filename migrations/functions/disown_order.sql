-- Whoever writes another link over one that was sent or confirmed brings it from elsewhere.
create or replace function disown_order() returns trigger language plpgsql as $$
begin
  new.wms_owns_order := false;
  return new;
end
$$;
