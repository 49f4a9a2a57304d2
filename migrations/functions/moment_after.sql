-- The time of a change: later than the row's last one, also on a node whose clock is behind. It uses the clock and not
-- now(): a transaction that waited for another began before the other's change. Declared immutable, because Citus
-- rejects volatile functions in an update and evaluates stable ones on the coordinator, before the wait. Its argument
-- makes PostgreSQL evaluate it for each row.
create or replace function moment_after(change timestamptz) returns timestamptz
  language plpgsql immutable strict parallel safe as $$
begin
  return greatest(clock_timestamp(), change + interval '1 microsecond');
end
$$;
