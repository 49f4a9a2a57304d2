import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { settled } from "../../exchange/pages/settled-import.ts";
import { request } from "../../harness.ts";
import { poll, serve, type Server } from "../../program.ts";
import { compare } from "./compared-sums.ts";
import { bankFile, bankRows } from "./money-files.ts";
import { amountOf, paymentsOf, someInvoice, type Stage } from "./money-stage.ts";

/** The server that is killed, once it answers. */
export async function victimOf(stage: Stage): Promise<Server> {
  return await (stage.victim ??= serve({
    ...stage.server.environment,
    LIAISON_WORKER: "off",
    LIAISON_RATE_LIMIT: "0",
  }));
}

/** Kills a process while a write of it waits for a row that this holds. */
async function killedWithin(
  stage: Stage,
  lock: string,
  killed: Server["process"],
  write: () => Promise<unknown>,
): Promise<void> {
  const held = await stage.server.locking(lock);
  const answer = write().catch(() => null);
  await held.blocking();
  killed.kill("SIGKILL");
  await held.release();
  await answer;
  await poll("the end of the killed writes", async () => {
    const busy =
      "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null";
    return (await stage.server.sql(busy)).length === 0;
  });
}
/** Kills in the middle of a write. */
export const kills = {
  async serverKilled(stage: Stage) {
    const { id } = await someInvoice(stage, "i.status in ('issued', 'paid')");
    const { url, process } = await victimOf(stage);
    const before = await paymentsOf(stage);
    const options = { token: stage.tenant.token, headers: { "idempotency-key": randomUUID() } };
    const items = [
      { invoice_id: Number((await someInvoice(stage, "i.status = 'issued'")).id), amount: amountOf(stage) },
      { invoice_id: Number(id), amount: amountOf(stage) },
    ];
    const write = async (to: string) => await request(to, "POST", "/api/v1/payments/batch", { items }, options);
    await killedWithin(
      stage,
      `select from invoices where id = ${id} for update`,
      process,
      async () => await write(url),
    );
    stage.victim = null;
    await compare(stage);
    await poll("the answer of the same request", async () => (await write(stage.server.url)).status === 200);
    assert.equal((await paymentsOf(stage)).length, before.length + items.length, "a request that is sent again");
  },
  async workerKilled(stage: Stage) {
    const rows = await bankRows(stage, 4);
    const before = await paymentsOf(stage);
    const { location } = await stage.member.upload("/imports", { kind: "payments" }, { "bank.csv": bankFile(rows) });
    const path = String(location);
    await settled(stage.member, path);
    await stage.worker.end();
    const { process } = stage.server.start("worker");
    const start = async () => await stage.member.post(`${path}/start`);
    await killedWithin(stage, "select from invoices for update", process, start);
    await compare(stage);
    await stage.server.sql("update jobs set lease_until = now() - interval '1 second' where state = 'running'");
    stage.worker.begin();
    await settled(stage.member, path);
    assert.equal((await paymentsOf(stage)).length, before.length + rows.length, "an import whose worker was killed");
    stage.imports.push({ path, payments: (await paymentsOf(stage)).filter((id) => !before.includes(id)) });
  },
};
