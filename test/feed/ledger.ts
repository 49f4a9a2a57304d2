import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { connectTo, createDataDirectory, demoToken, serveFrom } from "../failure/data-directory.ts";
import { request } from "../harness.ts";
import { poll, start, type Server } from "../program.ts";
import { killOne } from "../retries/ledger.ts";
import { visitor } from "../web/visitor.ts";
import type { Page, Told } from "./follower.ts";

/** What sixteen writers do, how often somebody is killed meanwhile, and how long a transaction pauses at most. */
export type Trial = { writes: number; kills: number; pauseMs: number };

/**
 * Changes that some follower did not hear of; that it heard of without their being there, or twice; and that it heard in another order than
 * the others, or than they happened to their resource. And how many there were.
 */
export type Verdict = { missed: number; phantom: number; disordered: number; changes: number };

const UNLIMITED = { LIAISON_RATE_LIMIT: "0" };
const AGAIN_AFTER_MS = 20;
const TYPES = ["company", "contact", "address", "invoice"];

/** A stage with two servers of one database, of which either may be dead. */
type Stage = { dataDir: string; servers: Server[]; token: string; hasWritten: () => void; isOver: () => boolean };
type Writer = (stage: Stage, name: string, own: number[], pauseMs: number) => Promise<void>;

/** Sixteen write by every way there is, and three follow, while servers, connections and PostgreSQL itself are killed. */
export async function keepLedger({ writes, kills, pauseMs }: Trial): Promise<Verdict> {
  const dataDir = createDataDirectory();
  const servers = [await serveFrom(dataDir, UNLIMITED)];
  const first = servers[0] as Server;
  servers.push(await serveFrom(dataDir, UNLIMITED));
  let written = 0;
  const stage: Stage = {
    dataDir,
    servers,
    token: demoToken(first),
    hasWritten: () => written++,
    isOver: () => written >= writes,
  };
  const pages = await signIn(servers, first.output());
  let isQuiet = false;
  const followers = Promise.all(
    (
      [
        ["1000", "0"],
        ["10", "5"],
        ["100", "30"],
      ] as const
    ).map(async ([limit, wait]) => await follow(stage, limit, wait, () => isQuiet)),
  );
  const all: Writer[] = [singly, singly, singly, singly, together, together, keyed, keyed, inBatches, inBatches];
  all.push(slowly, slowly, slowly, slowly, byImport, async (_, name) => await pages(name));
  const writers = Promise.all(all.map(async (writer, number) => await keepWriting(stage, writer, number, pauseMs)));
  for (let kill = 0; kill < kills; kill++) {
    await poll("some writes", () => written >= (writes / (kills + 1)) * (kill + 1), 1_200);
    await killOne(kill, dataDir, servers);
  }
  await writers;
  isQuiet = true;
  const heard = await followers;
  const verdict = await judge(dataDir, heard);
  for (const server of servers) {
    server.process.kill("SIGTERM");
    await server.ended;
  }
  return verdict;
}

async function keepWriting(stage: Stage, write: Writer, number: number, pauseMs: number): Promise<void> {
  const own: number[] = [];
  for (let round = 0; !stage.isOver(); round++) {
    // What became of it nobody knows where somebody died; the followers and the database have to agree.
    await write(stage, `${number}.${round}`, own, pauseMs).catch(async () => await pause(AGAIN_AFTER_MS));
  }
}

/** All that a follower hears, which stores its cursor together with what it heard, and asks whoever answers. */
async function follow({ servers, token }: Stage, limit: string, wait: string, isQuiet: () => boolean): Promise<Told[]> {
  const heard: Told[] = [];
  for (let after = "", isLast = false; ;) {
    isLast = isQuiet();
    const query = new URLSearchParams({ after, limit, ...(isLast ? {} : { wait }) });
    const answer = await request(anyOf(servers).url, "GET", `/api/v1/changes?${query.toString()}`, undefined, {
      token,
    }).catch(() => null);
    if (answer?.status !== 200) {
      if (answer !== null && answer.status !== 503) throw new Error(answer.text);
      await pause(AGAIN_AFTER_MS);
      continue;
    }
    const { data, next, more } = answer.body as Page;
    heard.push(...data);
    after = next;
    if (isLast && !more) return heard;
  }
}

async function judge(dataDir: string, heard: Told[][]): Promise<Verdict> {
  const database = await connectTo(dataDir);
  const tenant = "tenant_id = (select id from tenants where slug = 'demo')";
  const { rows } = await database.query<{ id: string; is_young: boolean }>(
    `select id, at > now() - interval '29 days' as is_young from changes where ${tenant} and type = any($1)`,
    [TYPES],
  );
  await database.end();
  const there = new Set(rows.map(({ id }) => Number(id)));
  // The demo's own begin before a feed does.
  const young = rows.filter((row) => row.is_young).map(({ id }) => Number(id));
  const verdict = { missed: 0, phantom: 0, disordered: 0, changes: young.length };
  for (const changes of heard) {
    const ids = new Set(changes.map(({ id }) => id));
    verdict.missed += young.filter((id) => !ids.has(id)).length;
    verdict.phantom += [...ids].filter((id) => !there.has(id)).length + (changes.length - ids.size);
    verdict.disordered += changes.filter(({ id }, index) => id !== heard[0]?.[index]?.id).length;
    for (const own of Map.groupBy(changes, ({ type, resource_id }) => `${type}/${resource_id}`).values()) {
      verdict.disordered += own.filter(({ at }, index) => index > 0 && at < String(own[index - 1]?.at)).length;
    }
  }
  return verdict;
}

async function send(stage: Stage, method: string, at: string, body?: object, headers = {}): Promise<number> {
  const answer = await request(anyOf(stage.servers).url, method, `/api/v1${at}`, body, { token: stage.token, headers });
  stage.hasWritten();
  return answer.status === 201 ? (answer.body.data.id as number) : 0;
}

/** Creates, changes, deletes and restores companies and their contacts, one request at a time. */
const singly: Writer = async (stage, name, own) => {
  const id = await send(stage, "POST", "/companies", { name, phone: "1" });
  if (id > 0) own.push(id);
  if (own.length === 0) return;
  const known = anyOf(own);
  await send(stage, "PUT", `/companies/${known}`, { name: `${name} changed` });
  const contact = await send(stage, "POST", `/companies/${known}/contacts`, { first_name: name, last_name: "B" });
  await send(stage, "DELETE", `/contacts/${contact}`);
  await send(stage, "POST", `/contacts/${contact}/restore`);
};

/** Requests at the same moment, which share a statement. */
const together: Writer = async (stage, name) => {
  const names = Array.from({ length: 5 }, (_, index) => `${name}.${index}`);
  const ids = await Promise.all(names.map(async (each) => await send(stage, "POST", "/companies", { name: each })));
  await Promise.all(ids.map(async (id) => await send(stage, "PUT", `/companies/${id}`, { city: name })));
};

const keyed: Writer = async (stage, name) => {
  const headers = { "idempotency-key": name };
  const id = await send(stage, "POST", "/companies", { name }, headers);
  await send(stage, "POST", "/companies", { name }, headers);
  if (id > 0) await send(stage, "PATCH", `/companies/${id}`, { city: name }, { "idempotency-key": `${name} city` });
};

const inBatches: Writer = async (stage, name, own) => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    name: `${name}.${index}`,
    tax_id: `${name}.${index % 18}`,
  }));
  await send(stage, "POST", "/companies/batch", { items: [...items, ...own.map((id) => ({ id, city: name }))] });
};

/** A transaction that writes, pauses, writes what others write too, and is taken back now and then. */
const slowly: Writer = async (stage, name, _own, pauseMs) => {
  const client: pg.Client = await connectTo(stage.dataDir);
  client.on("error", () => {});
  const demo = "(select id from tenants where slug = 'demo')";
  const anyCompany = `select id from companies where tenant_id = ${demo} order by id desc offset $1 limit 1`;
  try {
    await client.query("begin");
    await client.query(`insert into companies (tenant_id, name, country) select ${demo}, $1, 'Romania'`, [name]);
    await pause(Math.random() * pauseMs);
    await client.query(
      `update companies set name = $2, updated_at = moment_after(updated_at)
       where tenant_id = ${demo} and id in (${anyCompany})`,
      [Math.floor(Math.random() * 20), name],
    );
    await client.query(Math.random() < 0.2 ? "rollback" : "commit");
    stage.hasWritten();
  } finally {
    await client.end().catch(() => {});
  }
};

const byImport: Writer = async ({ dataDir, hasWritten }, name) => {
  const rows = Array.from({ length: 200 }, (_, index) => `${name} import ${index},T${index % 150}`);
  const file = path.join(path.dirname(dataDir), "companies.csv");
  fs.writeFileSync(file, `name,tax_id\n${rows.join("\n")}\n`);
  const environment = { LIAISON_DATA_DIR: dataDir };
  await start(["import", "companies", "--tenant", "demo", file], environment).finished();
  hasWritten();
};

/** Somebody who is signed in, and adds companies by a form. */
async function signIn(servers: readonly Server[], output: string): Promise<(name: string) => Promise<void>> {
  const person = visitor({
    get url() {
      return anyOf(servers).url;
    },
  });
  const [, workspace = "", email = "", password = ""] =
    /workspace (\S+), e-mail (\S+), password (\S+)/.exec(output) ?? [];
  const { location } = await person.post("/sign-in", { workspace, email, password });
  if (location === null) throw new Error("nobody was signed in");
  return async (name) => void (await person.post("/companies", { name }));
}

function anyOf<T>(some: readonly T[]): T {
  return some[Math.floor(Math.random() * some.length)] as T;
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
