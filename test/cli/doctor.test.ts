import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createInstallation } from "./installation.ts";

const installation = await createInstallation();
const { json, sql, run } = installation;
await json(["tenant", "create", "acme", "--name", "Acme"]);
const file = path.join(installation.dataDir, "companies.csv");
fs.writeFileSync(file, "name,phone,status\nA,+40 799 010 203,active\nB,+40 799 040 506,prospect\nC,,prospect\n");
await json(["import", "companies", "--tenant", "acme", file]);
const keyFile = path.join(installation.dataDir, "encryption.keys");

const OPERATIONS = path.join(import.meta.dirname, "../../docs/operations.md");

const NO_MAIL = "Mail is not configured: LIAISON_MAIL_URL is unset.\n";

type Diagnosis = {
  findings: { check: string; message: string }[];
  calls_held: boolean | null;
  mail: { configured: boolean; last_accepted_at: string | null } | null;
};
const UNUSED = { configured: false, last_accepted_at: null };

async function doctor(environment: Record<string, string> = {}): Promise<Diagnosis> {
  const { code, stdout, stderr } = await run(["doctor", "--json"], { environment });
  assert.equal(stderr, "");
  const diagnosis = JSON.parse(stdout) as Diagnosis;
  assert.equal(code, diagnosis.findings.length === 0 ? 0 : 1);
  for (const { message } of diagnosis.findings) assert.doesNotMatch(message, /\n|\+40 799/);
  return diagnosis;
}

/**
 * Breaks something, has the doctor look, and mends it. The next look shows that it is mended: nothing is
 * found there but what was broken since, and in the end nothing at all.
 */
async function finds(
  [check, message]: [string, RegExp],
  {
    breaks,
    mends = async () => {},
    environment,
  }: {
    breaks: () => Promise<unknown> | void;
    mends?: () => Promise<unknown> | void;
    environment?: Record<string, string>;
  },
): Promise<void> {
  await breaks();
  const { findings } = await doctor(environment);
  assert.deepEqual(
    findings.map((finding) => finding.check),
    [check],
    JSON.stringify(findings),
  );
  assert.match(findings[0]?.message ?? "", message);
  await mends();
}

/** A program that a process runs first. */
function preload(program: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

test("a healthy installation has nothing that should be done", async () => {
  assert.deepEqual(await doctor(), { findings: [], calls_held: false, mail: UNUSED });
  const { code, stdout } = await run(["doctor"]);
  assert.deepEqual([code, stdout], [0, `Nothing was found that should be done.\n${NO_MAIL}`]);
});

test("a finding is a line for people too", async () => {
  fs.chmodSync(keyFile, 0o644);
  const { code, stdout } = await run(["doctor"]);
  assert.equal(code, 1);
  assert.equal(
    stdout,
    `keys: ${keyFile} has the mode 0644, and is for its owner alone: chmod 600 ${keyFile}\n${NO_MAIL}`,
  );
  fs.chmodSync(keyFile, 0o600);
});

test("migrations that wait are named, and not applied", async () => {
  const [last] = await sql("select id::text, name, run_on::text from migrations order by name desc limit 1");
  await finds(["migrations", new RegExp(`^1 migrations wait, the first is ${last?.name}: run liaison migrate`)], {
    breaks: () => sql("delete from migrations where name = $1", [last?.name]),
    mends: () =>
      sql("insert into migrations (id, name, run_on) values ($1, $2, $3)", [last?.id, last?.name, last?.run_on]),
  });
});

test("a database of a newer release is one for that release", async () => {
  await finds(
    ["versions", /^The database is of a newer release, which made the migration 9999_to-come: run that one/],
    {
      breaks: () => sql("insert into migrations (name, run_on) values ('9999_to-come', now())"),
      mends: () => sql("delete from migrations where name = '9999_to-come'"),
    },
  );
});

test("indexes that were made with another version of the collation are to be made anew", async () => {
  const [{ version = null } = {}] = await sql(
    "select datcollversion as version from pg_database where datname = current_database()",
  );
  const set = (value: string | null) =>
    sql("update pg_database set datcollversion = $1 where datname = current_database()", [value]);
  await finds(["versions", /were made with version 0\.1 of its collation, and this system has \S+: .*reindex/], {
    breaks: () => set("0.1"),
    mends: () => set(version),
  });
});

test("a database that is not there is a finding, and the whole of it", async () => {
  const { findings, calls_held } = await doctor({
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none?connect_timeout=1",
  });
  assert.deepEqual([findings.map(({ check }) => check), calls_held], [["database"], null]);
});

test("where there is no database none is made", async () => {
  const nowhere = path.join(installation.dataDir, "nowhere");
  const { findings, calls_held } = await doctor({ DATABASE_URL: "", LIAISON_DATA_DIR: nowhere });
  assert.deepEqual([findings.map(({ check }) => check), calls_held], [["database"], null]);
  assert.match(
    findings[0]?.message ?? "",
    /^There is no installation here: DATABASE_URL is unset, and .*nowhere has no database/,
  );
  assert.equal(fs.existsSync(nowhere), false);
});

test("keys that are missing, another installation's, or everybody's to read", async () => {
  const keys = fs.readFileSync(keyFile, "utf8");
  const put = () => fs.writeFileSync(keyFile, keys, { mode: 0o600 });
  await finds(["keys", /encryption\.keys is missing/], { breaks: () => fs.rmSync(keyFile), mends: put });
  const others = keys.replace(/:./, (start) => `:${start === ":A" ? "B" : "A"}`);
  await finds(["keys", /does not hold the keys of this database/], {
    breaks: () => fs.writeFileSync(keyFile, others),
    mends: put,
  });
  await finds(["keys", /has the mode 0640.*: chmod 600/], {
    breaks: () => fs.chmodSync(keyFile, 0o640),
    mends: () => fs.chmodSync(keyFile, 0o600),
  });
});

test("values that do not decrypt are counted by their columns: damaged, moved to another row's place or under a key that is gone", async () => {
  const [{ phone = "" } = {}] = await sql("select phone from companies where name = 'A'");
  const set = (value: string) => sql("update companies set phone = $1 where name = 'A'", [value]);
  for (const broken of [
    phone.replace(/^(\w+:.{9})./, (start, kept) => `${kept}${start.endsWith("A") ? "B" : "A"}`),
    `gone${phone}`,
  ]) {
    await finds(
      [
        "keys",
        /^1 values of companies\.phone do not decrypt with the keys of \S+encryption\.keys \(row \d+ of tenant acme\): restore the missing keys/,
      ],
      {
        breaks: () => set(broken),
        mends: () => set(phone),
      },
    );
  }
  await finds(["keys", /^1 values of contacts\.phone do not decrypt/], {
    breaks: () =>
      sql(
        `insert into contacts (tenant_id, company_id, first_name, last_name, phone)
         select tenant_id, id, 'A', 'B', $1 from companies where name = 'A'`,
        [phone],
      ),
    mends: () => sql("delete from contacts"),
  });
});

test("a disk that is nearly full", async () => {
  for (const [free, all, words] of [
    [0.5, 4, /has 0\.5 GiB free of 4\.0: make room/],
    [20, 400, /has 20\.0 GiB free of 400\.0/],
  ] as const) {
    const statfs = `{ bsize: 1024, bavail: ${free * 2 ** 20}, blocks: ${all * 2 ** 20} }`;
    await finds(["disk", words], {
      breaks: () => {},
      environment: preload(`import fs from "node:fs"; fs.statfsSync = () => (${statfs});`),
    });
  }
});

const walls: [what: string, breaks: string, mends: string, message: RegExp][] = [
  [
    "a table without row-level security",
    "alter table contacts disable row level security",
    "alter table contacts enable row level security",
    /^The table contacts is open to other tenants' requests/,
  ],
  [
    "a second policy",
    "create policy more on companies for select to liaison_app using (true)",
    "drop policy more on companies",
    /^The table companies is open/,
  ],
  [
    "a policy with another condition",
    "alter policy tenant on addresses using (true)",
    "alter policy tenant on addresses using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0))",
    /^The table addresses is open/,
  ],
  [
    "a policy for everything on the history",
    `create policy more on changes to liaison_app using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0))
     with check (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0))`,
    "drop policy more on changes",
    /^The policy more of the table changes lets requests change the history/,
  ],
  [
    "a policy that empties the history of more than contacts",
    "alter policy emptied on changes using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0))",
    "alter policy emptied on changes using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0) and type in ('contact', 'planned_call'))",
    /^The policy emptied of the table changes lets requests change the history/,
  ],
  [
    "a unique index across tenants",
    "create unique index across on companies (name)",
    "drop index across",
    /^The index across does not begin with tenant_id/,
  ],
];

for (const [what, breaks, mends, message] of walls) {
  test(`a wall that was taken down: ${what}`, async () => {
    await finds(["walls", message], { breaks: () => sql(breaks), mends: () => sql(mends) });
  });
}

test("a role of requests that may do more than they need", async () => {
  const [{ name = "" } = {}] = await sql(
    "select 'liaison_requests_' || oid as name from pg_database where datname = current_database()",
  );
  await finds(["walls", /^The role of requests has more rights than requests need/], {
    breaks: () => sql(`grant pg_read_all_data to ${name}`),
    mends: () => sql(`revoke pg_read_all_data from ${name}`),
  });
});

test("a wall is put back by the statements of docs/operations.md 14.2", async () => {
  await finds(["walls", /^The table contacts is open .*docs\/operations\.md 14\.2/], {
    breaks: () => sql("alter table contacts disable row level security; alter policy tenant on contacts using (true)"),
    mends: () => sql(statementsOf("14.2").replaceAll("TABLE", "contacts")),
  });
  assert.deepEqual((await doctor()).findings, []);
});

test("the history's wall is put back by statements of its own, which docs/operations.md 14.2 has too", async () => {
  const policies = () => sql("select * from pg_policies where tablename = 'changes' order by policyname");
  const before = await policies();
  const everyTablesWall = statementsOf("14.2").replaceAll("TABLE", "changes");
  await finds(["walls", /^The policy tenant of the table changes lets requests change .*docs\/operations\.md 14\.2/], {
    breaks: () => sql(`drop policy added on changes; drop policy emptied on changes; ${everyTablesWall}`),
    mends: () => sql(statementsOf("14.2", 1)),
  });
  assert.deepEqual(await policies(), before);
  assert.deepEqual((await doctor()).findings, []);
});

test("lists that say another number than there is are mended by the statements of docs/operations.md 14.1", async () => {
  const [{ id = "" } = {}] = await sql("select id::text from tenants where slug = 'acme'");
  const message =
    /^Tenant acme: lists show \d+ companies, the table has 3 \(\d+ parts differ\).*docs\/operations\.md 14\.1/;
  for (const breaks of [
    "update company_count_changes set n = n + 1",
    "update company_count_changes set status = 'churned' where status = 'active'",
    "delete from company_count_changes",
    "insert into company_count_sums (tenant_id, generation, total, totals, blocks, statuses, counts) select id, 0, 7, '{}', '{}', '{}', '{}' from tenants",
  ]) {
    await finds(["counts", message], {
      breaks: () => sql(breaks),
      mends: () => sql(statementsOf("14.1").replaceAll("TENANT", id)),
    });
    assert.deepEqual((await doctor()).findings, []);
  }
});

test("jobs that nobody runs, that failed, and whose warehouse is away", async () => {
  const insert = (columns: string, values: string) =>
    sql(
      `insert into jobs (tenant_id, kind, subject, lane, ${columns}) select id, 'follow-orders', 1, 'x', ${values} from tenants`,
    );
  const closed = (lane: string) =>
    sql(
      `insert into lanes (tenant_id, name, closed_until) select id, '${lane}', now() + interval '1 minute' from tenants`,
    );
  const empty = () => sql("delete from jobs");
  await finds(
    ["queue", /^1 jobs of the kind follow-orders wait, the first for 5 minutes longer than it should: start a worker/],
    {
      breaks: () => insert("run_at", "now() - interval '5 minutes'"),
      mends: empty,
    },
  );
  await finds(["queue", /^1 jobs of the kind follow-orders failed/], {
    breaks: () => insert("state", "'failed'"),
    mends: empty,
  });
  await finds(["queue", /^1 queues are closed.*liaison wms status/], {
    breaks: () => closed("wms/x"),
    mends: () => sql("delete from lanes"),
  });
  await insert("run_at", "now() + interval '5 minutes'");
  await closed("webhook/1/1");
  assert.deepEqual((await doctor()).findings, [], "one that is to run later, and a webhook whose receiver is away");
  await sql("delete from lanes");
  await empty();
});

test("a clock that goes ahead of the database's, or behind", async () => {
  for (const [seconds, words] of [
    [10, /^The clock of this machine is 10 seconds ahead of the database's/],
    [-10, /^The clock of this machine is 10 seconds behind the database's/],
  ] as const) {
    await finds(["clock", words], {
      breaks: () => {},
      environment: preload(`const machine = Date.now; Date.now = () => machine() + ${seconds * 1_000};`),
    });
  }
});

test("held calls are reported and no finding, nor are jobs that wait for them", async () => {
  const hold = { since: "2026-11-23T00:00:00Z", why: "the database was restored", isLoss: false };
  await sql("insert into settings (name, value) values ('calls_held', $1)", [JSON.stringify(hold)]);
  await sql(
    `insert into jobs (tenant_id, kind, subject, lane, run_at)
     select id, 'send-invoice', 1, 'x', now() - interval '1 hour' from tenants`,
  );
  assert.deepEqual(await doctor(), { findings: [], calls_held: true, mail: UNUSED });
  const { code, stdout } = await run(["doctor"]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Calls to others are held since 2026-11-23T00:00:00Z, because the database was restored: `liaison resume` lets them/m,
  );
  await sql("delete from settings where name = 'calls_held'");
  await sql("delete from jobs");
});

test("what cannot be looked at is a finding, and the rest is looked at all the same", async () => {
  await sql("alter table jobs rename to jobs_away");
  const { findings } = await doctor();
  await sql("alter table jobs_away rename to jobs");
  assert.deepEqual(
    findings.map(({ check, message }) => [check, message]),
    [["queue", 'The check failed: PostgreSQL refused: relation "jobs" does not exist (42P01).']],
  );
});

/** A block of SQL of a section of docs/operations.md, the first where nothing else is said. */
function statementsOf(section: string, block = 0): string {
  const text = fs.readFileSync(OPERATIONS, "utf8").split(`### ${section} `)[1]?.split("\n### ")[0] ?? "";
  const statements = [...text.matchAll(/```sql\n([^]*?)```/g)][block]?.[1];
  assert.ok(statements !== undefined, `${section} has no block ${block} of SQL`);
  return statements;
}
