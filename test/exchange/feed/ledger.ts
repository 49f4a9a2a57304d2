import type pg from "pg";
import { visitor, type Visitor } from "../../doors/pages/visitor.ts";
import { connectTo, demoToken, serveFrom } from "../../failure/data-directory.ts";
import { request } from "../../harness.ts";
import { killOne } from "../../kit/stored-answers/ledger.ts";
import { nounTypes } from "../../nouns.ts";
import { poll, type Server } from "../../program.ts";
import { startReceiver, type Receiver } from "../webhooks/receiver.ts";
import type { Page, Told } from "./follower.ts";
import { anyOf, keepWriting, pause, type Stage } from "./writers.ts";

/** What sixteen writers do, how often somebody is killed meanwhile, and how long a transaction pauses at most. */
export type Trial = { writes: number; kills: number; pauseMs: number };

/**
 * Changes that some follower or receiver did not hear of; that it heard of without their being there, and a follower
 * also twice; and that it heard in another order than they happened to their resource, and a follower also in another
 * than the other followers. And how many there were, and of which authors.
 */
export type Verdict = { missed: number; phantom: number; disordered: number; changes: number; authors: string[] };

const SETTINGS = { LIAISON_RATE_LIMIT: "0", LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" };
const AGAIN_AFTER_MS = 20;
const DEMO = "tenant_id = (select id from tenants where slug = 'demo')";
/** A job of a worker that was killed is its own for half a minute, and a receiver that was silent has another one. */
const HEARD_WITHIN_SECONDS = 300;

/**
 * Sixteen clients write through every door, three follow, and two receive, while servers, connections and PostgreSQL
 * itself are killed. @param dataDir of an installation on which nobody has been
 */
export async function keepLedger(dataDir: string, { writes, kills, pauseMs }: Trial): Promise<Verdict> {
  const servers = [await serveFrom(dataDir, SETTINGS)];
  const first = servers[0] as Server;
  servers.push(await serveFrom(dataDir, SETTINGS));
  let written = 0;
  const stage: Stage = {
    dataDir,
    servers,
    token: demoToken(first),
    person: await signIn(servers, first.output()),
    connected: await connectedCompany(dataDir),
    pauseMs,
    hasWritten: () => written++,
    isOver: () => written >= writes,
  };
  const receivers = [await tellReceiver(stage, () => false), await tellReceiver(stage, () => Math.random() < 0.1)];
  const before = new Set((await changesOf(dataDir)).map(({ id }) => id));
  let isQuiet = false;
  const limits = ["1000", "10", "100"] as const;
  const followers = Promise.all(
    limits.map(async (limit, place) => await follow(stage, limit, String(place * 10), () => isQuiet)),
  );
  const writers = keepWriting(stage);
  for (let kill = 0; kill < kills; kill++) {
    await poll("some writes", () => written >= (writes / (kills + 1)) * (kill + 1), 1_200);
    await killOne(kill, dataDir, servers, SETTINGS);
  }
  await writers;
  // The demo's own begin before a feed does. Workers go on writing: every change so far has to be received.
  const young = (await changesOf(dataDir)).filter((change) => change.isYoung);
  isQuiet = true;
  const told = await followers;
  const toTell = young.filter(({ id }) => !before.has(id));
  const heard = await Promise.all(receivers.map(async (receiver) => await hearAll(receiver, toTell)));
  const there = new Set((await changesOf(dataDir)).map(({ id }) => id));
  for (const server of servers) {
    server.process.kill("SIGTERM");
    await server.ended;
  }
  const judged = [...told.map((own) => judge(own, young, there)), ...heard.map((own) => judge(own, toTell, there))];
  const sum = (name: "missed" | "phantom" | "disordered") => judged.reduce((all, each) => all + each[name], 0);
  return {
    missed: sum("missed"),
    phantom: sum("phantom") + told.reduce((all, own) => all + own.length - new Set(own.map(({ id }) => id)).size, 0),
    disordered: sum("disordered") + differences(told),
    changes: young.length,
    authors: [...new Set(young.map(({ by }) => by))].toSorted(),
  };
}

/**
 * The most attempts of a change that a receiver answers with a failure; one that was killed meanwhile counts as one
 * more.
 */
const MOST_FAILURES = 2;

/** All changes of a follower, which stores its cursor with them, and calls any server that answers. */
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

/**
 * A receiver of a webhook with all events. @param fails whether it fails with the present message, in one of several
 * ways
 */
async function tellReceiver({ servers, token }: Stage, fails: () => boolean): Promise<Receiver> {
  const receiver = await startReceiver();
  const failed = new Map<unknown, number>();
  receiver.answers(({ body }, response) => {
    const { id } = body.data as Told;
    // The pause behind a fourth failure is ten minutes.
    const before = failed.get(id) ?? 0;
    if (before === MOST_FAILURES || !fails()) return response.writeHead(204).end();
    failed.set(id, before + 1);
    if (Math.random() < 0.2) return response.destroy();
    return response.writeHead(503, { "retry-after": "1" }).end();
  });
  const made = await request(anyOf(servers).url, "POST", "/api/v1/webhooks", { url: receiver.url }, { token });
  if (made.status !== 201) throw new Error(made.text);
  return receiver;
}

/** What a receiver has heard when there is nothing left that it was to hear, or it has waited for long. */
async function hearAll(receiver: Receiver, all: readonly Change[]): Promise<Told[]> {
  const told = () => receiver.heard.map(({ body }) => body.data as Told);
  const isThrough = () => {
    const ids = new Set(told().map(({ id }) => id));
    return all.every(({ id }) => ids.has(id));
  };
  await poll("what is missing", isThrough, HEARD_WITHIN_SECONDS).catch(() => {});
  return told();
}

type Change = { id: number; isYoung: boolean; by: string };

/** Also where PostgreSQL was killed just now. */
async function changesOf(dataDir: string): Promise<Change[]> {
  let connected: pg.Client | null = null;
  await poll("PostgreSQL", async () => (connected = await connectTo(dataDir).catch(() => null)) !== null, 120);
  const database = connected as unknown as pg.Client;
  const { rows } = await database.query<{ id: string; is_young: boolean; by: string }>(
    `select id, at > now() - interval '29 days' as is_young, split_part(changed_by, ':', 1) as by
    from changes where ${DEMO} and type = any($1)`,
    [nounTypes],
  );
  await database.end();
  return rows.map(({ id, is_young: isYoung, by }) => ({ id: Number(id), isYoung, by }));
}

function judge(told: readonly Told[], expected: readonly Change[], there: ReadonlySet<number>) {
  const ids = new Set(told.map(({ id }) => id));
  let disordered = 0;
  for (const own of Map.groupBy(told, ({ type, resource_id }) => `${type}/${resource_id}`).values()) {
    disordered += own.filter(({ at }, index) => index > 0 && at < String(own[index - 1]?.at)).length;
  }
  return {
    missed: expected.filter(({ id }) => !ids.has(id)).length,
    phantom: [...ids].filter((id) => !there.has(id)).length,
    disordered,
  };
}

/** The places at which followers have heard of different changes, as far as all have come. */
function differences(all: readonly Told[][]): number {
  const [first = []] = all;
  const length = Math.min(...all.map((told) => told.length));
  return first.slice(0, length).filter(({ id }, index) => all.some((told) => told[index]?.id !== id)).length;
}

async function connectedCompany(dataDir: string): Promise<number> {
  const database = await connectTo(dataDir);
  const { rows } = await database.query<{ id: string }>(
    `select id from companies where ${DEMO} and wms_subdomain is not null order by id limit 1`,
  );
  await database.end();
  return Number(rows[0]?.id);
}

/** Somebody who is signed in, at whichever server. */
export async function signIn(servers: readonly Server[], output: string): Promise<Visitor> {
  const person = visitor({
    get url() {
      return anyOf(servers).url;
    },
  });
  const [, workspace = "", email = "", password = ""] =
    /workspace (\S+), e-mail (\S+), password (\S+)/.exec(output) ?? [];
  const { location } = await person.post("/sign-in", { workspace, email, password });
  if (location === null) throw new Error("nobody was signed in");
  return person;
}
