-- When a row is changed: later than its last change, on a node whose clock is behind too. By the clock and not by now(): a
-- transaction that waited for another began before the other's change. Immutable it is not; but Citus refuses what is
-- volatile in an update, and evaluates what is stable on the coordinator, before the wait. It takes the row's own last
-- change, so that it is never evaluated ahead of the row.
create or replace function moment_after(change timestamptz) returns timestamptz
  language plpgsql immutable strict parallel safe
as $$
begin
  return greatest(clock_timestamp(), change + interval '1 microsecond');
end
$$;
