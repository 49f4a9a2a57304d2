import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import { fileURLToPath } from "node:url";
import type { Connection } from "../src/platform/postgres/database.ts";
import { runHosted, type Finished } from "./hosted-commands.ts";
import { afterFile } from "./together.ts";

const MAIN = fileURLToPath(new URL("../src/main.js", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../package.json", import.meta.url));
const PATIENCE_SECONDS = 120;
const PAUSE_MS = 20;

/** The program as an operator runs it, a process of its own; killed when the test file ends. */
export type Program = {
  process: ChildProcess;
  /** What it wrote to standard output so far. */
  output(): string;
  /** What it wrote to standard error so far. */
  complaints(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Resolves at its end with all that it wrote. */
  finished(): Promise<Finished>;
};

/** A program that serves, and where. */
export type Server = Program & { url: string };

const { scripts } = JSON.parse(fs.readFileSync(PACKAGE, "utf8")) as { scripts: { start: string } };
/** Options of Node.js that `npm start` gives to a server. They decide how much memory it needs. */
export const SERVER_FLAGS = scripts.start.split(" ").filter((word) => word.startsWith("--"));

const { PATH = "", NODE_COMPILE_CACHE = "", NODE_COMPILE_CACHE_PORTABLE = "" } = process.env;
/** Of every program. */
const ENVIRONMENT = {
  PATH,
  NODE_COMPILE_CACHE,
  NODE_COMPILE_CACHE_PORTABLE,
  PORT: "0",
  LOG_LEVEL: "warn",
  LIAISON_DRAIN_SECONDS: "0",
};
const programs = new Set<ChildProcess>();

afterFile(() => {
  for (const program of programs) program.kill("SIGKILL");
});

/**
 * Starts the program without waiting for anything. It has no environment but this, and where Node.js keeps what it
 * compiled, which is half of what a command takes; a server takes a free port, and ends at SIGTERM.
 * @param input its standard input; null: one that nobody writes to or closes
 * @param within the command that runs it, with its options
 * @param file another program than Liaison
 */
export function start(
  argv: string[],
  environment: Record<string, string>,
  input: string | null = "",
  within: string[] = [],
  file = MAIN,
): Program {
  const flags = file === MAIN && argv[0] === "serve" ? SERVER_FLAGS : [];
  const [command = "", ...rest] = [...within, process.execPath, ...flags, file, ...argv];
  return startAlone(command, rest, { ...ENVIRONMENT, ...environment }, input);
}

/** The same for a command with exactly this environment. */
export function startAlone(
  command: string,
  args: string[],
  environment: Record<string, string>,
  input: string | null = "",
): Program {
  const child = spawn(command, args, { env: environment });
  programs.add(child);
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  // A command that does not read its input may be gone before it is written.
  child.stdin.on("error", () => {});
  if (input !== null) child.stdin.end(input);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on("close", (code, signal) => {
      programs.delete(child);
      resolve(code ?? signal);
    });
  });
  return {
    process: child,
    output: () => output,
    complaints: () => complaints,
    ended,
    finished: async () => withoutSlowMigrations({ code: await ended, stdout: output, stderr: complaints }),
  };
}

/**
 * Runs a command to its end, with others in one process: a start is most of what a command costs. What only a process
 * of its own can show needs one: options of Node.js, an input that stays open, an embedded PostgreSQL.
 */
export async function runCommand(
  argv: readonly string[],
  environment: Record<string, string>,
  input: string | null = "",
): Promise<Finished> {
  const needsOwn = input === null || "NODE_OPTIONS" in environment || (environment.DATABASE_URL ?? "") === "";
  if (needsOwn) return await start([...argv], environment, input).finished();
  return withoutSlowMigrations(await runHosted({ argv, environment: { ...ENVIRONMENT, ...environment }, input }));
}

/** On a busy machine a command that makes its schema also says which migration takes seconds. */
function withoutSlowMigrations({ stderr, ...finished }: Finished): Finished {
  return { ...finished, stderr: stderr.replaceAll(/^\{.*"msg":"a migration is running"\}\n/gm, "") };
}

/** Starts `serve`, with options, on a free port and waits until it says that it is ready. */
export async function serve(
  environment: Record<string, string>,
  within: string[] = [],
  options: string[] = [],
): Promise<Server> {
  const program = start(["serve", ...options], environment, "", within);
  let url: string | undefined;
  await poll("the server's start", () => {
    if (program.process.exitCode !== null) throw new Error(`it ended: ${program.complaints()}`);
    url = /Liaison is ready at (\S+)/.exec(program.output())?.[1];
    return url !== undefined;
  });
  return { ...program, url: String(url) };
}

/** The DATABASE_URL of a database that is reached by a socket. */
export function databaseUrl({ host, port, user, database }: Connection): string {
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

/** Waits until the condition holds; fails, naming what was waited for, when it does not in time. */
export async function poll(
  what: string,
  holds: () => boolean | Promise<boolean>,
  seconds = PATIENCE_SECONDS,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * A port of 127.0.0.1 that nobody listens on, and that the system does not give out itself: else a connection or a
 * server of another test file could have it a moment later.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  return await new Promise((resolve) => {
    const server = net.createServer().on("error", () => resolve(freePort()));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}
