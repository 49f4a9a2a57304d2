-- Keys of assistants whose deletions, sendings and batches a person confirms on the page, and the requests that wait.

alter table api_keys add column confirms_on_page boolean;

create table pending_requests (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  api_key_id bigint not null,
  -- The idempotency key under which the outcome is stored (kept_answers.key).
  key text not null,
  tool text not null,
  -- The arguments and the effect that was shown, encrypted.
  secret text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, id), unique (tenant_id, api_key_id, key)
);
create index pending_requests_by_age on pending_requests (tenant_id, at);
call protect_tenant_table('pending_requests');
alter table pending_requests add foreign key (tenant_id, api_key_id) references api_keys (tenant_id, id);

grant usage on all sequences in schema public to liaison_app;
