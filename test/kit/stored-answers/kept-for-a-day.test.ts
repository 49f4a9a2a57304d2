import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../../src/kit/jobs/job.ts";
import { forgetAnswers } from "../../../src/kit/stored-answers/forget-answers.ts";
import { FORGET_ANSWERS_JOB } from "../../../src/kit/stored-answers/forget-job.ts";
import { reencrypt } from "../../../src/operation/encryption/reencrypt.ts";
import { generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";

const server = await startServer();
/** The encryption key of what the tests store. */
const before = generateEncryptionKey([]);
server.deps.keyring.replaceEncryptionKeys([before]);
const COMPANIES = "/api/v1/companies";
const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

test("answers are kept for a day, and then removed in steps, by a job that is there while there are any", async () => {
  const tenant = await server.createTenant();
  await tenant.post(COMPANIES, { name: "A" }, keyed("young"));
  await poll("the job", async () => (await jobs(tenant.id)).length === 1);
  await server.sql(
    `insert into kept_answers (tenant_id, api_key_id, key, request, status, at)
     select $1, 1, 'old' || n, '', 201, now() - interval '26 hours' from generate_series(1, 2500) n`,
    [tenant.id],
  );
  await server.sql(
    `insert into kept_answers (tenant_id, api_key_id, key, request, status, at)
     select $1, 1, 'promised', '', 201, now() - interval '24 hours 30 minutes'`,
    [tenant.id],
  );
  const job = { tenant: tenant.id, stop: new AbortController().signal } as Job;
  const again = { outcome: "again", afterMs: 3_600_000, counts: false };
  assert.deepEqual(await forgetAnswers(server.deps, job), again);
  const left = await server.sql("select key from kept_answers where tenant_id = $1 order by key", [tenant.id]);
  assert.deepEqual(
    left.map(({ key }) => key),
    ["promised", "young"],
  );
  await server.sql("update kept_answers set at = now() - interval '2 days' where tenant_id = $1", [tenant.id]);
  assert.deepEqual(await forgetAnswers(server.deps, job), { outcome: "done" });
  assert.equal((await tenant.post(COMPANIES, { name: "A" }, keyed("young"))).headers.get("idempotency-replayed"), null);
});

test("what is kept is encrypted anew with the rest, and answers as before without the key of before", async () => {
  const tenant = await server.createTenant();
  const phones = { phone: "+40 722 1", mobile: "+40 722 2" };
  const company = await tenant.post(COMPANIES, { name: "A", phone: "+40 722 3" }, keyed("company"));
  const { id } = company.body.data;
  const children = `${COMPANIES}/${id}`;
  const bodies = {
    contact: { first_name: "A", last_name: "B", ...phones },
    address: { address: "C", phone: "+40 722 4" },
  };
  const contact = await tenant.post(`${children}/contacts`, bodies.contact, keyed("contact"));
  const address = await tenant.post(`${children}/addresses`, bodies.address, keyed("address"));
  const gone = await tenant.delete(`/api/v1/contacts/${contact.body.data.id}`, keyed("gone"));

  const { database, keyring } = server.deps;
  const current = generateEncryptionKey([before]);
  keyring.replaceEncryptionKeys([current, before]);
  const done = await reencrypt({ database, keyring, signal: new AbortController().signal, onProgress() {} });
  assert.equal(done.undecryptable, 0);
  const [stale] = await server.sql(
    `select count(*)::int as n from kept_answers
     where tenant_id = $1 and not starts_with(secret, $2 || ':')`,
    [tenant.id, keyring.currentKeyId],
  );
  assert.equal(stale?.n, 0);
  keyring.replaceEncryptionKeys([current]);
  const again = [
    await tenant.post(COMPANIES, { name: "A", phone: "+40 722 3" }, keyed("company")),
    await tenant.post(`${children}/contacts`, bodies.contact, keyed("contact")),
    await tenant.post(`${children}/addresses`, bodies.address, keyed("address")),
    await tenant.delete(`/api/v1/contacts/${contact.body.data.id}`, keyed("gone")),
  ];
  for (const [index, first] of [company, contact, address, gone].entries()) {
    assert.deepEqual([again[index]?.status, again[index]?.text], [first.status, first.text]);
  }
});

async function jobs(tenant: string): Promise<Record<string, unknown>[]> {
  return await server.sql("select id from jobs where tenant_id = $1 and kind = $2", [tenant, FORGET_ANSWERS_JOB]);
}
