import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { rawCall } from "../doors/agents/clients.ts";
import { visitor } from "../doors/pages/visitor.ts";
import { request } from "../harness.ts";
import { poll, start, type Server } from "../program.ts";
import { createDataDirectory, connectTo, demoToken } from "./data-directory.ts";
import { closeGround, openGround, strike, type Ground } from "./faults.ts";

/** What the doors answered to a write. `unknown`: it may have been done. */
type Answer = "done" | "refused" | "unknown";

/**
 * A write whose marker stands in one change that it makes, and nowhere else. One that `repeats` is sent until it is
 * answered: its door promises that it is done once.
 */
type Deed = { door: string; marker: string; repeats: boolean; send(url: string): Promise<Answer> };

/** Lost: answered, and not there. Phantom: refused, and there. Double: there twice. */
export type Verdict = { lost: number; phantom: number; double: number };

const SETTINGS = { LIAISON_RATE_LIMIT: "0" };
const CLIENTS = 8;
const AGAIN_AFTER_MS = 20;
const TIMEOUT_MS = 20_000;
const EMAIL = "ledger@example.com";
const PASSWORD = "violet harbour 91";

/**
 * Eight clients write through all doors of two servers until all faults have struck. In the end the history has each
 * write once. `between`: the writes after a fault, before the next one.
 */
export async function keepLedger(size: { between: number; faults: number }): Promise<{
  verdict: Verdict;
  doors: Record<string, number>;
  struck: Record<string, number>;
}> {
  const ground = await openGround(SETTINGS);
  const nextDeed = await openDoors(ground);
  const deeds: Deed[] = [];
  const answers = new Map<Deed, Answer>();
  const struck: Record<string, number> = {};
  const over = new AbortController();

  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const deed = nextDeed();
      deeds.push(deed);
      for (;;) {
        const { url } = ground.servers[Math.floor(Math.random() * ground.servers.length)] as Server;
        const answer = await deed.send(url).catch(() => "unknown" as const);
        answers.set(deed, answer);
        if (answer !== "unknown" || !deed.repeats) break;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      }
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  for (let turn = 0; turn < size.faults; turn++) {
    const before = deeds.length;
    await poll("some writes", () => deeds.length >= before + size.between, 600);
    const name = await strike(ground, turn);
    struck[name] = (struck[name] ?? 0) + 1;
  }
  over.abort();
  await clients;
  const times = await timesOf(ground);
  await closeGround(ground);

  const verdict = { lost: 0, phantom: 0, double: 0 };
  const doors: Record<string, number> = {};
  for (const deed of deeds) {
    const [answer, count] = [answers.get(deed), times.get(deed.marker) ?? 0];
    if (answer === "done") doors[deed.door] = (doors[deed.door] ?? 0) + 1;
    if (answer === "done" && count === 0) verdict.lost++;
    if (answer === "refused" && count > 0) verdict.phantom++;
    if (count > 1) verdict.double++;
    times.delete(deed.marker);
  }
  // What nobody asked for.
  verdict.phantom += times.size;
  return { verdict, doors, struck };
}

/** Each way to write; the wrong ones are refused. Returns a random one at each call. */
async function openDoors({ dataDir, servers }: Ground): Promise<() => Deed> {
  const token = servers
    .map((server) => server.output())
    .flatMap((text) => /Bearer (demo\.\w+)/.exec(text)?.[1] ?? [])[0];
  if (token === undefined) throw new Error(`no token in: ${demoToken(servers[0] as Server)}`);
  const environment = { LIAISON_DATA_DIR: dataDir };
  const user = ["user", "create", "--tenant", "demo", "--email", EMAIL, "--name", "Ledger"];
  const { code, stderr } = await start(user, environment, PASSWORD).finished();
  if (code !== 0) throw new Error(stderr);
  const browser = visitor({ url: (servers[0] as Server).url });
  const signedIn = await browser.post("/sign-in", { workspace: "demo", email: EMAIL, password: PASSWORD });
  if (signedIn.status !== 303) throw new Error(`signing in answered ${signedIn.status}: ${signedIn.text}`);
  const files = createDataDirectory("files");
  fs.mkdirSync(files);

  const api =
    (path: string, body: (marker: string) => object, isRight = true) =>
    (): Omit<Deed, "door"> => {
      const marker = `deed-${randomUUID()}`;
      const headers = { "idempotency-key": marker };
      const send = async (url: string) => {
        const { status } = await inTime(request(url, "POST", path, body(marker), { token, headers }));
        if (isRight) return status < 300 ? "done" : "unknown";
        return status === 422 ? "refused" : "unknown";
      };
      return { marker, repeats: true, send };
    };
  const kinds: [string, number, () => Omit<Deed, "door">][] = [
    ["the API", 40, api("/api/v1/companies", (name) => ({ name }))],
    ["the API in batches", 10, api("/api/v1/companies/batch", (name) => ({ items: [{ name }, { name: 5 }] }))],
    ["the API, wrongly", 10, api("/api/v1/companies", (name) => ({ name, status: "none" }), false)],
    [
      "an assistant",
      20,
      () => {
        const marker = `deed-${randomUUID()}`;
        const call = rawCall("tools/call", {
          name: "upsert_company",
          arguments: { request_id: marker.slice("deed-".length), name: marker },
        });
        const send = async (url: string) => {
          const { status, text } = await inTime(
            request(url, "POST", "/mcp", call.message, { token, headers: call.headers }),
          );
          if (status !== 200) return "unknown";
          return /"isError":true|"error":/.test(text) ? "unknown" : "done";
        };
        return { marker, repeats: true, send };
      },
    ],
    [
      "a page",
      18,
      () => {
        const marker = `deed-${randomUUID()}`;
        const send = async (url: string) => {
          const page = visitor({ url });
          for (const [name, value] of browser.cookies) page.cookies.set(name, value);
          const { status, location } = await inTime(page.post("/companies", { name: marker }));
          return status === 303 && location !== null && /^\/companies\/\d+/.test(location) ? "done" : "unknown";
        };
        return { marker, repeats: false, send };
      },
    ],
    [
      "the command line",
      2,
      () => {
        const marker = `deed-${randomUUID()}`;
        const file = path.join(files, `${marker}.csv`);
        fs.writeFileSync(file, `name,tax_id\n${marker},${marker.slice(-12)}\n`);
        const send = async () => {
          const ended = await start(["import", "companies", "--tenant", "demo", file], environment).ended;
          return ended === 0 ? "done" : "unknown";
        };
        return { marker, repeats: true, send };
      },
    ],
  ];
  const dice = kinds.flatMap((kind) => Array.from({ length: kind[1] }, () => kind));
  return () => {
    const [door, , make] = dice[Math.floor(Math.random() * dice.length)] as (typeof kinds)[number];
    return { door, ...make() };
  };
}

/** How often the history has each marker as a new value. */
async function timesOf({ dataDir }: Ground): Promise<Map<string, number>> {
  const database = await connectTo(dataDir);
  const { rows } = await database.query<{ changed: string }>(
    "select changed::text from changes where changed like '%deed-%'",
  );
  await database.end();
  const times = new Map<string, number>();
  for (const { changed } of rows) {
    for (const [, marker = ""] of changed.matchAll(/"to": ?"(deed-[\w-]+)"/g))
      times.set(marker, (times.get(marker) ?? 0) + 1);
  }
  return times;
}

/** A request that nothing answers ends as one whose outcome nobody knows. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error("no answer")), TIMEOUT_MS).unref();
  });
  return await Promise.race([asked, late]);
}
