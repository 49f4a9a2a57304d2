import { randomUUID } from "node:crypto";
import type pg from "pg";
import { connectTo, demoToken, isAlive, postmasterOf, serveFrom } from "../../failure/data-directory.ts";
import { request } from "../../harness.ts";
import { poll, type Server } from "../../program.ts";

/** What is asked of the two servers, and what happens to them meanwhile. */
export type Trial = { writes: number; kills: number };

/** How often something was done twice, or not at all, or answered differently; and how much was tried. */
export type Verdict = { dup: number; lost: number; differing: number; tries: number; replayed: number };

type Kind = "companies" | "contacts" | "addresses" | "invoices";
type Resource = { kind: Kind; id: number };

/** A write, as it is sent each time; each of its `markers` stands in something that it writes, and nowhere else. */
type Write = {
  method: string;
  path: string;
  body: object | undefined;
  key: string;
  markers: string[];
  made: Kind | null;
};

const UNLIMITED = { LIAISON_RATE_LIMIT: "0" };
const CLIENTS = 8;
/** Milliseconds after which a client may hang up: before, while and after its request is worked on. */
const HANGS_UP_WITHIN = 40;
const AGAIN_AFTER_MS = 20;

/**
 * Eight clients write through two servers of one database, each write with a key until it is answered. Meanwhile
 * clients hang up, servers and PostgreSQL are killed, and the servers' connections cut. In the end everything is there
 * once, and every answer to a key was the same.
 * @param dataDir of an installation on which nobody has been
 */
export async function keepLedger(dataDir: string, { writes, kills }: Trial): Promise<Verdict> {
  const servers = [await serveFrom(dataDir, UNLIMITED)];
  const token = demoToken(servers[0] as Server);
  servers.push(await serveFrom(dataDir, UNLIMITED));
  const all: Write[] = [];
  const answers = new Map<string, Set<string>>();
  const count = { tries: 0, replayed: 0 };

  const send = async (write: Write, url: string, hangsUp: boolean): Promise<object | null> => {
    count.tries++;
    const { method, path, body, key } = write;
    const options = { token, headers: { "idempotency-key": key } };
    const asked = hangsUp ? cutRequest(url, write, token) : request(url, method, path, body, options);
    const answer = await asked.catch(() => null);
    if (answer === null || answer.status === 503 || answer.status === 409) return null;
    if (answer.headers.get("idempotency-replayed") === "true") count.replayed++;
    answers.set(
      key,
      (answers.get(key) ?? new Set()).add(`${answer.status} ${answer.headers.get("etag")} ${answer.text}`),
    );
    return answer.body;
  };
  const urlOf = () => (servers[Math.floor(Math.random() * servers.length)] as Server).url;
  const untilAnswered = async (write: Write): Promise<{ data?: { id: number } }> => {
    for (;;) {
      const body = await send(write, urlOf(), Math.random() < 0.2);
      if (body !== null) return body;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  };

  const client = async (): Promise<void> => {
    const own: Resource[] = [];
    while (all.length < writes) {
      const write = nextWrite(own);
      all.push(write);
      const { data } = await untilAnswered(write);
      if (write.made !== null && data !== undefined) own.push({ kind: write.made, id: data.id });
      if (Math.random() < 0.2) await untilAnswered(write);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let kill = 0; kill < kills; kill++) {
    await poll("some writes", () => all.length >= (writes / (kills + 1)) * (kill + 1), 600);
    await killOne(kill, dataDir, servers);
  }
  await clients;
  for (const write of all) await untilAnswered(write);

  const database = await connectTo(dataDir);
  const markers = all.flatMap((write) => write.markers);
  const times = await Promise.all(markers.map(async (marker) => await timesDone(database, marker)));
  await database.end();
  for (const server of servers) {
    server.process.kill("SIGTERM");
    await server.ended;
  }
  return {
    ...count,
    dup: times.filter((done) => done > 1).length,
    lost: times.filter((done) => done < 1).length,
    differing: [...answers.values()].filter((different) => different.size !== 1).length,
  };
}

/** A create, an update or a deletion of what the client has made, or a batch of them, one item of which is wrong. */
function nextWrite(own: Resource[]): Write {
  const key = randomUUID();
  const marker = key;
  const company = own.findLast(({ kind }) => kind === "companies");
  const dice = Math.random();
  if (company === undefined || dice < 0.3) {
    return {
      method: "POST",
      path: "/api/v1/companies",
      body: { name: marker, phone: "1" },
      key,
      markers: [marker],
      made: "companies",
    };
  }
  if (dice < 0.4) {
    const markers = [`${marker}-created`, `${marker}-updated`];
    const [name, city] = markers;
    const items = [{ name }, { name: 5 }, { id: company.id, city }];
    return { method: "POST", path: "/api/v1/companies/batch", body: { items }, key, markers, made: null };
  }
  if (dice < 0.6) {
    const made = (["contacts", "addresses", "invoices"] as const)[Math.floor(Math.random() * 3)] ?? "contacts";
    return {
      method: "POST",
      path: `/api/v1/companies/${company.id}/${made}`,
      body: bodyOf(made, marker),
      key,
      markers: [marker],
      made,
    };
  }
  const place = Math.floor(Math.random() * own.length);
  const { kind, id } = own[place] as Resource;
  const path = `/api/v1/${kind}/${id}`;
  if (dice < 0.9 || kind === "companies" || kind === "invoices") {
    const update = { ...bodyOf(kind, marker), ...(kind === "companies" ? { name: marker } : {}) };
    return { method: "PUT", path, body: update, key, markers: [marker], made: null };
  }
  own.splice(place, 1);
  return { method: "DELETE", path, body: undefined, key, markers: [`${kind}/${id}`], made: null };
}

function bodyOf(kind: Kind, marker: string): object {
  if (kind === "contacts") return { first_name: marker, last_name: "B", phone: "1" };
  if (kind === "addresses") return { address: marker };
  return kind === "invoices" ? { number: marker } : { name: marker };
}

/** How often the history has a write. */
async function timesDone(database: pg.Client, marker: string): Promise<number> {
  const [kind, id] = marker.split("/");
  const { rows } =
    id === undefined
      ? await database.query("select 1 from changes where strpos(changed, '\"to\":\"' || $1 || '\"') > 0", [marker])
      : await database.query("select 1 from changes where action = 'deleted' and type = $1 and resource_id = $2", [
          kind === "contacts" ? "contact" : "address",
          id,
        ]);
  return rows.length;
}

/** A request whose client hangs up, or learns the answer just before. */
async function cutRequest(url: string, { method, path, body, key }: Write, token: string) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(Math.random() * HANGS_UP_WITHIN),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as object };
}

/** In turns: a server; the connections of all; the other server; and PostgreSQL itself. */
export async function killOne(
  turn: number,
  dataDir: string,
  servers: Server[],
  environment = UNLIMITED,
): Promise<void> {
  if (turn % 2 === 1) {
    if (turn % 4 === 1) return await cutConnections(dataDir);
    const postmaster = postmasterOf(dataDir) ?? 0;
    process.kill(postmaster, "SIGKILL");
    return await poll("PostgreSQL's end", () => !isAlive(postmaster));
  }
  const place = (turn / 2) % servers.length;
  const server = servers[place] as Server;
  server.process.kill("SIGKILL");
  await server.ended;
  servers[place] = await serveFrom(dataDir, environment);
}

async function cutConnections(dataDir: string): Promise<void> {
  const owner = await connectTo(dataDir);
  await owner.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'liaison'");
  await owner.end();
}
