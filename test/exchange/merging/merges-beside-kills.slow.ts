import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { Visitor } from "../../doors/pages/visitor.ts";
import { connectTo, demoToken, migratedDataDirectory, serveFrom } from "../../failure/data-directory.ts";
import { request, type Answer } from "../../harness.ts";
import { killOne } from "../../kit/stored-answers/ledger.ts";
import { poll, type Server } from "../../program.ts";
import type { Page, Told } from "../feed/follower.ts";
import { signIn } from "../feed/ledger.ts";
import { anyOf, pause } from "../feed/writers.ts";
import { startReceiver } from "../webhooks/receiver.ts";

/** docs/contract.md 6.9, beside everything that knows companies, while servers, connections and PostgreSQL die. */
const SETTINGS = { LIAISON_RATE_LIMIT: "0", LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" };
const [KILLS, MERGES_EACH] = [6, 5];
/** With one more there would be more ids of one system than a company may lead to. */
const NAMES = ["Abator Nord", "Brutăria Veche", "Ceramica Horezu", "Drogheria Luna", "Electro Prahova"];
const IMPORT_SECONDS = 60;
const REST_SECONDS = 300;

type Firm = { id: number; erp: string; taxId: string | null };
type Stage = { dataDir: string; servers: Server[]; token: string; person: Visitor; firms: Firm[] };

async function send(stage: Stage, method: string, path: string, body?: object): Promise<Answer> {
  return await request(anyOf(stage.servers).url, method, `/api/v1${path}`, body, { token: stage.token });
}

/** The same until a server answers. */
async function insist(stage: Stage, method: string, path: string, body?: object): Promise<Answer> {
  let answer: Answer | null = null;
  await poll(path, async () => {
    answer = await send(stage, method, path, body).catch(() => null);
    return answer !== null && answer.status < 500;
  });
  return answer as unknown as Answer;
}

async function sql({ dataDir }: Stage, text: string): Promise<Record<string, unknown>[]> {
  const client = await connectTo(dataDir);
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Two of each name. Only the first has a fiscal id, so that they look the same. */
async function found(stage: Stage): Promise<Firm[]> {
  const firms: Firm[] = [];
  for (const [index, name] of [...NAMES, ...NAMES].entries()) {
    const taxId = index < NAMES.length ? `RO7700${index}` : null;
    const erp = `E-${index}`;
    const fields = {
      name: index < NAMES.length ? name : `${name.toUpperCase()} SRL`,
      tax_id: taxId,
      external: { erp },
    };
    const { body } = await insist(stage, "POST", "/companies", { ...fields, callback_date: `2027-01-1${index % 10}` });
    const { id } = body.data;
    await insist(stage, "POST", `/companies/${id}/contacts`, { first_name: erp, last_name: "Pop" });
    await insist(stage, "POST", `/companies/${id}/invoices`, { number: `M-${index}`, total: "10.00", currency: "RON" });
    firms.push({ id, erp, taxId });
  }
  return firms;
}

type Noted = {
  merged: number;
  undone: number;
  made: string[];
  contacts: number[];
  imports: number;
  selections: number;
};
type Writer = (stage: Stage, noted: Noted) => Promise<void>;

const merges: Writer = async (stage, noted) => {
  const [kept, from] = [anyOf(stage.firms).id, anyOf(stage.firms).id];
  if ((await send(stage, "POST", `/companies/${kept}/merge`, { from })).status === 200) noted.merged++;
};

const undoes: Writer = async (stage, noted) => {
  const [merge] = await sql(stage, "select id from merges where undone_at is null order by random() limit 1");
  if (merge === undefined) return await pause(20);
  if ((await send(stage, "POST", `/merges/${String(merge.id)}/undo`)).status === 200) noted.undone++;
};

/** As an ERP sends every night all that it has: by its own ids, and by fiscal ids. */
const nightly: Writer = async (stage, noted) => {
  const website = `https://${Math.floor(Math.random() * 1_000)}.example`;
  const items = stage.firms.flatMap(({ erp, taxId }) => [
    { external: { erp }, website },
    ...(taxId === null ? [] : [{ tax_id: taxId, name: `By ${taxId}`, industry: website }]),
  ]);
  const { body } = await send(stage, "POST", "/companies/batch", { items });
  for (const { outcome } of body.results ?? []) if (outcome === "created") noted.made.push("by a batch");
};

const imports: Writer = async ({ person, firms }, noted) => {
  const rows = firms.flatMap(({ taxId }) => (taxId === null ? [] : `Again ${taxId},${taxId}`));
  const file = `name,tax_id\n${rows.join("\n")}\n`;
  const { location } = await person.upload("/imports", { kind: "companies" }, { "companies.csv": file });
  const isThrough = async () => !(await person.get(String(location))).text.includes("data-refresh");
  await poll("the file's check", isThrough, IMPORT_SECONDS);
  await person.post(`${location}/start`);
  await poll("the import", isThrough, IMPORT_SECONDS);
  noted.imports++;
};

const selections: Writer = async ({ person, firms }, noted) => {
  const id = [anyOf(firms), anyOf(firms)].map((firm) => String(firm.id));
  const form = { id, rows: String(id.length), matching: "", to: "/companies", status: "active" };
  if ((await person.post("/companies/bulk", form)).status === 303) noted.selections++;
  await person.post(`/companies/${anyOf(id)}/calls`, {
    due_on: `2027-03-0${1 + Math.floor(Math.random() * 9)}`,
    about: "",
  });
};

const contacts: Writer = async (stage, noted) => {
  const created = await send(stage, "POST", `/companies/${anyOf(stage.firms).id}/contacts`, {
    first_name: "Ana",
    last_name: "Rus",
  });
  if (created.status === 201) noted.contacts.push(created.body.data.id);
};

/** All changes of the workspace behind a cursor. */
async function told(stage: Stage, cursor: string): Promise<Told[]> {
  const all: Told[] = [];
  for (let after = cursor; ;) {
    const { data, next, more } = (await insist(stage, "GET", `/changes?limit=1000&after=${after}`)).body as Page;
    all.push(...data);
    after = next;
    if (!more) return all;
  }
}

/** The firms that are there, as the API has them. */
async function live(stage: Stage): Promise<{ id: number; name: string; tax_id: string | null }[]> {
  const { body } = await insist(stage, "GET", `/companies?ids=${stage.firms.map(({ id }) => id).join()}&per_page=200`);
  return body.data;
}

/** By their text: the order itself does not matter. */
function sorted(values: readonly unknown[]): string[] {
  return values.map(String).toSorted();
}

/** The pairs of live firms that look the same by their names: stored, and by comparing each with each. */
async function pairsOf(stage: Stage): Promise<{ stored: string[]; compared: string[] }> {
  const own = new Set(stage.firms.map(({ id }) => id));
  const { body } = await insist(stage, "GET", "/companies/alike?per_page=200");
  const stored = (body.data as { companies: { id: number }[] }[])
    .map(({ companies }) => companies.map(({ id }) => id).toSorted((a, b) => a - b))
    .filter((ids) => ids.every((id) => own.has(id)));
  const plain = (name: string) => name.toLowerCase().replace(" srl", "");
  const there = await live(stage);
  const compared = there.flatMap((one) =>
    there
      .filter(({ id, name, tax_id: taxId }) => {
        const mayBe = taxId === null || one.tax_id === null || taxId === one.tax_id;
        return one.id < id && mayBe && plain(name) === plain(one.name);
      })
      .map(({ id }) => [one.id, id]),
  );
  return { stored: sorted(stored), compared: sorted(compared) };
}

/** A request waits for no step of the job that finds pairs: what changed shortly before may be missing for a while. */
async function comparePairs(stage: Stage): Promise<void> {
  let [stored, compared]: string[][] = [];
  const areEqual = async () => {
    ({ stored, compared } = await pairsOf(stage));
    return isDeepStrictEqual(stored, compared);
  };
  await poll("the pairs", areEqual).catch(() => {});
  assert.deepEqual(stored, compared, "pairs that look the same");
}

/** The company that each id of another system, and each fiscal id, leads to. */
async function leadsTo(stage: Stage): Promise<Record<string, number>> {
  const items = stage.firms.flatMap(({ erp, taxId }) => [
    { external: { erp } },
    ...(taxId === null ? [] : [{ tax_id: taxId }]),
  ]);
  const { body } = await insist(stage, "POST", "/companies/batch", { items, dry_run: true });
  return Object.fromEntries(
    items.map((item, index) => ["tax_id" in item ? item.tax_id : item.external.erp, body.results[index].id]),
  );
}

/** The firm, or the one that it went into. */
async function now(stage: Stage, id: number): Promise<number> {
  const answer = await insist(stage, "GET", `/companies/${id}`);
  return answer.status === 200 ? id : Number(answer.headers.get("x-merged-into"));
}

async function expectedLeads(stage: Stage): Promise<Record<string, number>> {
  const leads: Record<string, number> = {};
  for (const { id, erp, taxId } of stage.firms) {
    leads[erp] = await now(stage, id);
    if (taxId !== null) leads[taxId] = leads[erp];
  }
  return leads;
}

test("whatever dies beside merges and their undo, nothing is made again, lost, or told otherwise than it is", async (t) => {
  const dataDir = await migratedDataDirectory();
  const servers = [await serveFrom(dataDir, SETTINGS)];
  const first = servers[0] as Server;
  servers.push(await serveFrom(dataDir, SETTINGS));
  const person = await signIn(servers, first.output());
  const over = new AbortController();
  const stage: Stage = { dataDir, servers, token: demoToken(first), person, firms: [] };
  const receiver = await startReceiver();
  assert.equal((await insist(stage, "POST", "/webhooks", { url: receiver.url })).status, 201);
  const { next: cursor } = (await insist(stage, "GET", "/changes?limit=1000")).body as Page;
  stage.firms.push(...(await found(stage)));
  const ids = stage.firms.map(({ id }) => id);
  await comparePairs(stage);

  const noted: Noted = { merged: 0, undone: 0, made: [], contacts: [], imports: 0, selections: 0 };
  const writing = [merges, merges, undoes, nightly, imports, selections, contacts].map(async (write) => {
    // The outcome of a write whose server was killed is not known.
    while (!over.signal.aborted) await write(stage, noted).catch(async () => await pause(20));
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = noted.merged + MERGES_EACH;
    await poll("some merges", () => noted.merged >= enough, REST_SECONDS);
    await killOne(kill, dataDir, servers, SETTINGS);
  }
  over.abort();
  await Promise.all(writing);
  await poll("the end of the files", async () => {
    const rows = await sql(stage, "select 1 from jobs where kind = 'import' and state <> 'done'").catch(() => [1]);
    return rows.length === 0;
  });
  t.diagnostic(JSON.stringify({ ...noted, contacts: noted.contacts.length }));
  assert.ok(noted.undone > 0 && noted.imports > 0 && noted.selections > 0);

  const check = async () => {
    assert.deepEqual(noted.made, []);
    const made = await sql(stage, `select id from companies where id >= ${Math.min(...ids)}`);
    assert.deepEqual(sorted(made.map(({ id }) => Number(id))), sorted(ids), "no company was made again");
    assert.deepEqual(await leadsTo(stage), await expectedLeads(stage));
    const lost = await sql(
      stage,
      `select k.id from contacts k join companies c on c.tenant_id = k.tenant_id and c.id = k.company_id
      where k.deleted_at is null and c.deleted_at is not null and c.id >= ${Math.min(...ids)}`,
    );
    assert.deepEqual(lost, [], "contacts of companies that are gone");
    for (const id of noted.contacts) assert.equal((await insist(stage, "GET", `/contacts/${id}`)).status, 200);
    const otherDays = await sql(
      stage,
      `select c.id from companies c where c.id >= ${Math.min(...ids)} and c.deleted_at is null
      and c.callback_date is distinct from (select min(h.due_on) from planned_calls h
        where h.tenant_id = c.tenant_id and h.company_id = c.id and h.deleted_at is null)`,
    );
    assert.deepEqual(otherDays, [], "the day of the next call");
    await comparePairs(stage);
    const there = new Set((await live(stage)).map(({ id }) => id));
    const mirror = new Set<number>();
    const changes = await told(stage, cursor);
    for (const { type, resource_id: id, action } of changes.filter((each) => each.type === "company")) {
      if (action === "created" || action === "restored") mirror.add(id);
      if (action === "deleted" || action === "merged") mirror.delete(id);
      assert.equal(type, "company");
    }
    assert.deepEqual(sorted([...mirror]), sorted([...there]), "the feed's companies");
    await poll(
      "all changes at the receiver",
      () => {
        const heard = new Set(receiver.heard.map(({ body }) => (body.data as Told).id));
        return changes.every(({ id }) => heard.has(id));
      },
      REST_SECONDS,
    );
  };
  await check();
  for (let left = -1; left !== 0;) {
    const rows = await sql(stage, "select id from merges where undone_at is null order by id desc");
    assert.notEqual(rows.length, left, "no merge could be undone");
    left = rows.length;
    for (const { id } of rows) await insist(stage, "POST", `/merges/${String(id)}/undo`);
  }
  await check();
  assert.equal((await live(stage)).length, ids.length, "all are there again");
  for (const server of servers) {
    server.process.kill("SIGTERM");
    await server.ended;
  }
});
