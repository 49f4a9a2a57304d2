import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createDatabase, request, type Answer } from "../harness.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The real program, on a database and a data directory of its own, gone when the test file ends. */
export type Program = {
  environment: Record<string, string>;
  dataDir: string;
  /** Runs a command to its end. `input` is its standard input; without it that is empty. */
  run: (args: string[], options?: RunOptions) => Promise<Finished>;
  /** What a command that succeeds prints with `--json`, and nothing else. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what it turns out to be
  json: (args: string[], options?: RunOptions) => Promise<any>;
  /** A command that goes on while the test does something else. */
  start: (args: string[], options?: RunOptions) => { process: ChildProcess; finished: Promise<Finished> };
  /** Starts `serve` and returns its URL once it answers. */
  serve: () => Promise<string>;
  /** SQL as the owner of the tables. */
  sql: (text: string, parameters?: unknown[]) => Promise<Record<string, string>[]>;
  /** A client of the test's own, for a transaction that is left open. */
  client: () => Promise<pg.Client>;
};

export type RunOptions = { input?: string; environment?: Record<string, string>; keepInputOpen?: true };
export type Finished = { code: number | null; stdout: string; stderr: string };

export async function createProgram(): Promise<Program> {
  const connection = await createDatabase();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-cli-"));
  const { host, port, user, database } = connection;
  const environment = {
    PATH: process.env.PATH ?? "",
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    LIAISON_DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
  };
  const owner = new pg.Pool({ ...connection, max: 2 });
  const clients: pg.Client[] = [];
  const children: ChildProcess[] = [];
  after(async () => {
    for (const child of children) child.kill("SIGKILL");
    for (const client of clients) await client.end();
    await owner.end();
    fs.rmSync(dataDir, { recursive: true });
  });

  const start: Program["start"] = (args, options = {}) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: { ...environment, ...options.environment } });
    children.push(child);
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    // A command that does not read its input may be gone before it is written.
    child.stdin.on("error", () => {});
    if (options.keepInputOpen !== true) child.stdin.end(options.input ?? "");
    const finished = new Promise<Finished>((resolve) => {
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
    return { process: child, finished };
  };
  const run: Program["run"] = async (args, options) => await start(args, options).finished;

  return {
    environment,
    dataDir,
    start,
    run,
    async json(args, options) {
      const { code, stdout, stderr } = await run([...args, "--json"], options);
      if (code !== 0 || stderr !== "") throw new Error(`liaison ${args.join(" ")}: exit code ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async serve() {
      const port = await freePort();
      const { finished } = start(["serve"], { environment: { PORT: String(port) } });
      const url = `http://127.0.0.1:${port}`;
      const died = finished.then(({ stderr }) => Promise.reject(new Error(`the server ended: ${stderr}`)));
      died.catch(() => {});
      await Promise.race([until(async () => (await request(url, "GET", "/health/ready")).status === 200), died]);
      return url;
    },
    sql: async (text, parameters = []) => (await owner.query(text, parameters)).rows,
    async client() {
      const client = new pg.Client(connection);
      clients.push(client);
      await client.connect();
      return client;
    },
  };
}

/** Asks again until the condition holds, for at most `seconds`; a condition that throws does not hold. */
export async function until(condition: () => Promise<boolean>, seconds = 20): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`did not come about within ${seconds} s`);
    await wait(20);
  }
}

/** Requests with one token. */
export function requester(
  url: string,
  token: string,
): (method: string, path: string, body?: unknown) => Promise<Answer> {
  return async (method, path, body) => await request(url, method, path, body, { token });
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
