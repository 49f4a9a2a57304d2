import { execFileSync, fork, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import type { LoadJob, LoadResult } from "./load.ts";

/** A server under test: a process of its own that answers the API's requests. */
export type Server = { name: string; url: string; pid: number; process: ChildProcess };

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const CLOCK_TICKS = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/**
 * Each process has a session of its own (`detached`), as services and their clients have: Linux shares a processor between
 * sessions first (autogroup), and each of PostgreSQL's processes is one.
 */
const children = new Set<ChildProcess>();
// An interrupted benchmark leaves nothing running; the last server to go stops the cluster.
process.on("exit", () => {
  for (const child of children) child.kill("SIGTERM");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** The product of a checkout, as its users start it, except for a rate limit that no load reaches. */
export async function startProduct(
  name: string,
  root: string,
  dataDir: string,
  nodeFlags: string[] = [],
): Promise<Server> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [...startFlags(root), ...nodeFlags, path.join(root, "src", "main.ts"), "serve"],
    {
      cwd: root,
      detached: true,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...process.env,
        NODE_ENV: "production",
        HOST: "127.0.0.1",
        PORT: String(port),
        LIAISON_DATA_DIR: dataDir,
        LOG_LEVEL: "error",
        LIAISON_RATE_LIMIT: "2000000000",
        LIAISON_DEMO: "off",
      },
    },
  );
  return await whenReady(name, child, port, "/health/ready");
}

/** What `npm start` of that checkout gives to node. */
function startFlags(root: string): string[] {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

/** Another server of the benchmark's, whose last argument is its port. */
export async function startOther(name: string, file: string, parameters: string[], probe: string): Promise<Server> {
  const port = await freePort();
  const child = spawn(process.execPath, [file, ...parameters, String(port)], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  return await whenReady(name, child, port, probe);
}

async function whenReady(name: string, child: ChildProcess, port: number, probe: string): Promise<Server> {
  endWithUs(child);
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answered = await fetch(url + probe).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { name, url, pid: child.pid ?? 0, process: child };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill("SIGKILL");
  throw new Error(`${name} did not start`);
}

function endWithUs(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  child.kill("SIGTERM");
  await once(child, "exit");
  clearTimeout(kill);
}

export type Generator = { pid: number; run(job: LoadJob): Promise<LoadResult>; stop(): Promise<void> };

/** What takes LoadJobs: the load generator, or the limit. */
export function startGenerator(file = "load.ts", parameters: string[] = []): Generator {
  const child = fork(path.join(import.meta.dirname, file), parameters, { serialization: "advanced", detached: true });
  endWithUs(child);
  return {
    pid: child.pid ?? 0,
    async run(job) {
      child.send(job);
      const ended = new AbortController();
      const end = () => ended.abort(new Error("the load generator ended"));
      child.once("exit", end);
      const [result] = (await once(child, "message", { signal: ended.signal })) as [LoadResult];
      child.off("exit", end);
      return result;
    },
    stop: async () => await stopProcess(child),
  };
}

/** Seconds of processor time that a process has used so far. */
export function cpuSeconds(pid: number): number {
  return cpuTicks(statOf(pid)) / CLOCK_TICKS;
}

/** Seconds of processor time that a cluster's processes have used so far. */
export function clusterCpuSeconds(postmaster: number): number {
  const children = fs
    .readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => statOf(Number(entry)))
    .filter(([, parent]) => parent === String(postmaster));
  return [statOf(postmaster), ...children].reduce((sum, stat) => sum + cpuTicks(stat), 0) / CLOCK_TICKS;
}

/** The resident memory of a process, in MB. */
export function residentMegabytes(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** The fields of /proc/PID/stat behind the command's name: state, parent, ...; empty where the process is gone. */
function statOf(pid: number): string[] {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}

function cpuTicks(stat: string[]): number {
  return Number(stat[11] ?? 0) + Number(stat[12] ?? 0);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
