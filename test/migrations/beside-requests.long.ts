import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { connectTo, createDataDirectory, serveFrom } from "../failure/data-directory.ts";
import { request, type Answer } from "../harness.ts";
import { start } from "../program.ts";
import { migrationsAnd } from "./more-migrations.ts";

const ROWS = Number(process.env.LIAISON_TEST_ROWS ?? 1_000_000);
const [PER_SECOND, STEP] = [200, 1_000];
/** Requests alone, before anything is migrated, and the snapshot's length. */
const [ALONE_MS, SNAPSHOT_MS] = [10_000, 30_000];
/** No request may take as long. */
const MOST_MS = 2_000;
const PROGRAM = fileURLToPath(new URL("migrate-program.ts", import.meta.url));

const DIRECTORY = migrationsAnd({
  "9996_visits": "alter table companies add column visits integer",
  "9997_visits-of-companies": `-- Without a transaction
    do $$
    declare
      behind record;
    begin
      for behind in select tenant_id, min(id) as first, max(id) as last from companies group by tenant_id loop
        for step in 0 .. (behind.last - behind.first) / ${STEP} loop
          update companies set visits = 0 where tenant_id = behind.tenant_id and visits is null
            and id between behind.first + step * ${STEP} and behind.first + step * ${STEP} + ${STEP - 1};
          commit;
        end loop;
      end loop;
    end $$`,
  "9998_visits-are-counted": "alter table companies add constraint visits_are_counted check (visits >= 0) not valid",
  "9999_by-visits": `-- Without a transaction
    alter table companies validate constraint visits_are_counted;
    create index concurrently if not exists companies_by_visits on companies (tenant_id, visits, id)`,
});

test(`${ROWS} rows are migrated beside a long snapshot and ${PER_SECOND} requests a second: none fails, or takes two seconds`, async () => {
  const dataDir = createDataDirectory();
  const server = await serveFrom(dataDir, {}, ["--no-demo"]);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await start([...args, "--json"], { LIAISON_DATA_DIR: dataDir }).finished();
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  await run("tenant", "create", "acme", "--name", "Acme");
  const capabilities = "companies:read,companies:write";
  const key = ["--tenant", "acme", "--name", "A", "--rate", "0", "--capabilities", capabilities];
  const { token } = await run("key", "create", ...key);
  const [owner, holder] = [await connectTo(dataDir), await connectTo(dataDir)];
  for (let filled = 0; filled < ROWS; filled += 50_000) {
    await owner.query(
      `insert into companies (tenant_id, name, country, tax_id) select id, 'Company ' || n, 'RO', n
       from tenants, generate_series($1::integer, $2) n`,
      [filled + 1, Math.min(filled + 50_000, ROWS)],
    );
  }
  await owner.query("vacuum analyze companies");

  const load = keepAsking(server.url, token);
  await new Promise((resolve) => setTimeout(resolve, ALONE_MS));
  const alone = load.times.toSorted((a, b) => a - b);
  await holder.query("begin isolation level repeatable read; select from companies limit 1");
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
  const letGo = setTimeout(() => void holder.query("commit"), SNAPSHOT_MS);
  const connection = { host: owner.host, port: owner.port, user: owner.user, database: owner.database };
  const { code, stderr } = await start([JSON.stringify(connection), DIRECTORY], {}, "", [], PROGRAM).finished();
  clearTimeout(letGo);
  assert.equal(code, 0, stderr);
  const migrated = seconds();
  const { refused, times } = await load.stop();
  const beside = times.slice(alone.length).toSorted((a, b) => a - b);
  console.log(`${ROWS} rows, a snapshot of ${SNAPSHOT_MS / 1000} s, migrated after ${migrated} s`);
  console.log(`before: ${told(alone)}; beside: ${told(beside)}; refused=${refused.length}`);
  assert.deepEqual(refused, []);
  assert.ok(at(beside, 1) < MOST_MS, `the slowest took ${at(beside, 1)} ms`);
  for (const client of [owner, holder]) await client.end();
});

function told(sorted: number[]): string {
  return `${sorted.length} requests, ms: half ${at(sorted, 0.5)}, 99% ${at(sorted, 0.99)}, slowest ${at(sorted, 1)}`;
}

function at(sorted: number[], part: number): number {
  return Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
}

/** Sends requests at their pace, whether or not those before are answered, until it is stopped. */
function keepAsking(url: string, token: string) {
  const [times, refused]: [number[], string[]] = [[], []];
  const open = new Set<Promise<void>>();
  let asked = 0;
  const ask = async (n: number): Promise<void> => {
    const begun = performance.now();
    const answer = await one(url, token, n).catch((error: Error) => ({ status: 0, text: error.message }));
    times.push(performance.now() - begun);
    if (answer.status >= 300 || answer.status === 0) refused.push(`${answer.status} ${answer.text}`);
  };
  const begun = performance.now();
  const timer = setInterval(() => {
    while (asked < ((performance.now() - begun) * PER_SECOND) / 1000) {
      const due = ask(asked++).finally(() => open.delete(due));
      open.add(due);
    }
  }, 1000 / PER_SECOND);
  return {
    times,
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { refused, times };
    },
  };
}

/** Of ten requests one creates a company, two change one, one lists them, and six look one up. */
async function one(url: string, token: string, n: number): Promise<Answer> {
  const path = `/api/v1/companies/${1 + ((n * 7919) % ROWS)}`;
  const options = { token };
  if (n % 10 === 0) return await request(url, "POST", "/api/v1/companies", { name: `New ${n}` }, options);
  if (n % 10 <= 2) return await request(url, "PUT", path, { city: `City ${n}` }, options);
  if (n % 10 === 3) return await request(url, "GET", "/api/v1/companies?per_page=20", undefined, options);
  return await request(url, "GET", path, undefined, options);
}
