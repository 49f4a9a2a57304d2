-- Up Migration

-- An operator's second factor, as a user's: the secret encrypted, and codes used up by the number of their step.
alter table operators add column totp_secret text;
alter table operators add column totp_confirmed_at timestamptz;
alter table operators add column totp_last_step bigint;

-- What opens it when the telephone is lost, each once. The owner's alone, as operators are.
create table operator_recovery_codes (
  id bigserial primary key,
  operator_id bigint not null references operators (id) on delete cascade,
  code_hash bytea not null
);
create index operator_recovery_codes_of_operator on operator_recovery_codes (operator_id);

alter table operator_sessions add column awaits_code boolean not null default false;
