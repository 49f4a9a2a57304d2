-- Whether payments reach an invoice's total; null if it has none, or 0: then its status says whether it is paid.
create or replace function is_settled(total numeric, paid numeric) returns boolean language sql immutable parallel safe
  return case when total > 0 then paid >= total when total < 0 then paid <= total end;
