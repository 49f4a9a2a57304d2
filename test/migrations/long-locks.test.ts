import assert from "node:assert/strict";
import { test } from "node:test";
import { complaintsAbout } from "./long-locks.ts";

const CREATED = new Set(["visits"]);

for (const refused of [
  "create index companies_by_visits on companies (tenant_id, visits)",
  "create unique index on companies (tenant_id, visits)",
  "alter table companies alter column name type varchar(100)",
  "alter table companies add column a integer, alter a set data type bigint",
  "alter table companies add constraint named check (name <> '')",
  "alter table companies add check (name <> '')",
  "alter table contacts add foreign key (tenant_id, visit_id) references visits (tenant_id, id)",
  "alter table companies add constraint one unique (tenant_id, name)",
  "alter table companies add column visits integer check (visits >= 0)",
  "alter table companies add column visit bigint references visits (id)",
  "alter table companies add column place bigserial",
  "alter table companies add column code text default gen_random_uuid()",
  "alter table companies add column folded text generated always as (lower(name)) stored",
  "alter table companies alter column phone set not null",
  "alter table companies validate constraint named",
  "update companies set visits = 0",
  "DELETE FROM\n  companies",
  "insert into companies (name) select name from visits",
  "truncate companies",
  "lock table companies",
  "do $$ begin if true then update companies set visits = 0; end if; end $$",
  "do $body$ begin create index companies_by_visits on companies (tenant_id, visits); end $body$",
  "-- Without a transaction: an index\ncreate index concurrently companies_by_visits on companies (tenant_id, visits)",
  "-- Without a transaction: a column\nalter table companies add column visits integer",
]) {
  test(`a new migration is refused: ${refused.replaceAll("\n", " ")}`, () => {
    assert.equal(complaintsAbout(refused, CREATED).length, 1);
  });
}

for (const taken of [
  "create table visits (id bigint primary key, kind text check (kind <> ''), company bigint references companies (id))",
  "create index visits_by_kind on visits (tenant_id, kind)",
  "alter table visits add foreign key (tenant_id, company_id) references companies (tenant_id, id)",
  "insert into visits (kind) select name from companies",
  "alter table companies add column visits integer not null default 0",
  "alter table companies add column visited_at timestamptz not null default now(), add column checked boolean",
  "alter table companies add constraint named check (name <> '') not valid",
  "alter table contacts add foreign key (tenant_id, visit_id) references visits (tenant_id, id) not valid",
  "alter table companies add constraint one unique using index companies_by_visits",
  "-- Brief: companies_phone_is_there proves it.\nalter table companies alter column phone set not null",
  "create or replace function f() returns void language sql as $$ update companies set visits = 0 $$",
  "call protect_tenant_table('visits'); call keep_history('companies', 'company')",
  "create trigger visited after update on companies for each row execute function f()",
  "drop index companies_by_visits",
  "-- Without a transaction: an index\ncreate index concurrently if not exists companies_by_visits on companies (tenant_id)",
  "-- Without a transaction: an index\ndrop index concurrently if exists companies_by_visits",
  "-- Without a transaction: rows\nalter table companies validate constraint named",
  "-- Without a transaction: a trigger for each row\ncall keep_history('companies', 'company')",
  "-- Without a transaction: rows\ndo $$ begin loop update companies set visits = 0; exit when not found; commit; end loop; end $$",
]) {
  test(`a new migration is taken: ${taken.replaceAll("\n", " ")}`, () => {
    assert.deepEqual(complaintsAbout(taken, CREATED), []);
  });
}
