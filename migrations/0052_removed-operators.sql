-- Up Migration

-- An operator who is removed takes the sessions along, one that is begun at that moment too.
alter table operator_sessions
  drop constraint operator_sessions_operator_id_fkey,
  add constraint operator_sessions_operator_id_fkey foreign key (operator_id) references operators (id) on delete cascade;
