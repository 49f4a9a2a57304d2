import assert from "node:assert/strict";
import { test } from "node:test";
import { serveRequests } from "../../src/cli/processes/serve-requests.ts";
import { readConfig } from "../../src/kit/config.ts";
import { createRateLimiters } from "../../src/platform/http/rates/rate-limit.ts";
import { poll } from "../program.ts";
import { createInstallation } from "./installation.ts";

const installation = await createInstallation();

/** Resolves when a worker has noticed a job, of whatever kind. */
async function untilNoticed(subject: number): Promise<void> {
  const [tenant] = await installation.sql("select id from tenants where slug = 'acme'");
  const lane = `lane ${subject}`;
  await installation.sql("insert into jobs (tenant_id, kind, subject, lane) values ($1, 'unknown', $2, $3)", [
    tenant?.id,
    subject,
    lane,
  ]);
  await poll(
    "the worker",
    async () => (await installation.sql("select from lanes where name = $1", [lane])).length > 0,
  );
}

test("`worker` says when it is ready, looks for jobs, and ends at SIGTERM", async () => {
  await installation.json(["tenant", "create", "acme", "--name", "Acme"]);
  const worker = installation.start(["worker"]);
  await poll("its start", () => worker.output() !== "");
  assert.equal(worker.output(), "Liaison's worker is ready. Ctrl+C stops it.\n");
  await untilNoticed(1);
  worker.process.kill("SIGTERM");
  assert.equal(await worker.ended, 0, worker.complaints());
  assert.equal(worker.complaints(), "");
});

test("a server looks for jobs too, and LIAISON_WORKER is on or off", async () => {
  await installation.serve();
  await untilNoticed(2);
  const { code, stderr } = await installation.run(["serve"], { environment: { LIAISON_WORKER: "maybe" } });
  assert.deepEqual([code, stderr], [1, "LIAISON_WORKER must be one of on, off.\n"]);
});

test("a server whose start fails when its worker runs already ends, with its worker", async () => {
  const settings = { PORT: "0", LOG_LEVEL: "silent", LIAISON_BACKUP_TO: `${installation.dataDir}/backups` };
  const stop = new AbortController();
  const serving = {
    config: readConfig({ ...installation.environment, ...settings }),
    processes: 1,
    limiters: createRateLimiters(),
    stop: stop.signal,
    hurry: stop.signal,
    offerSwitch() {},
  };
  const announce = async () => {
    throw new Error("the database went away");
  };
  let failure: unknown = null;
  const ended = serveRequests(serving, announce).catch((error: unknown) => (failure = error));
  await poll("its end", () => failure !== null).finally(() => stop.abort());
  await ended;
  assert.match(String(failure), /the database went away/);
});
