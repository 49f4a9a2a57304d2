-- A call that somebody received is a kind of activity.

alter table activities drop constraint activities_kind_check;
alter table activities add constraint activities_kind_check
  check (kind in ('note', 'call', 'call_in', 'email', 'meeting')) not valid;
