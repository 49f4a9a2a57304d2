import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { endWithUs, stopProcess } from "../load/processes.ts";

/** A server under test: a process of its own that answers the API's requests. */
export type Server = { name: string; url: string; pid: number; process: ChildProcess };

const START_TIMEOUT_MS = 60_000;

/** `program`: another file than the product's own, with its parameters. */
type StartOptions = {
  nodeFlags?: string[];
  serveOptions?: string[];
  program?: string[];
  environment?: Record<string, string>;
};

/** The product of a checkout, as its users start it, except for a rate limit that no load reaches. */
export async function startProduct(
  name: string,
  root: string,
  dataDir: string,
  { nodeFlags = [], serveOptions = [], program, environment = {} }: StartOptions = {},
): Promise<Server> {
  const port = await freePort();
  const start = startOf(root);
  const parameters = [...start.flags, ...nodeFlags, ...(program ?? start.program), ...serveOptions];
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      LIAISON_DATA_DIR: dataDir,
      LOG_LEVEL: "error",
      LIAISON_DRAIN_SECONDS: "0",
      LIAISON_RATE_LIMIT: "2000000000",
      LIAISON_DEMO: "off",
      ...environment,
    },
  });
  tellErrors(child);
  return await whenReady(name, child, port, "/health/ready");
}

/** The same after a start that filled the checkout's compile cache: compiling leaves memory behind. */
export async function startCompiled(name: string, root: string, dataDir: string): Promise<Server> {
  await stopProcess((await startProduct(name, root, dataDir)).process);
  return await startProduct(name, root, dataDir);
}

/** Why a request failed is in the log alone. */
function tellErrors({ stdout }: ChildProcess): void {
  if (stdout === null) return;
  createInterface(stdout).on("line", (line) => {
    if (line.startsWith("{")) process.stderr.write(`${line}\n`);
  });
}

/** The parameters of node in `npm start` of that checkout. */
function startOf(root: string): { flags: string[]; program: string[] } {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    scripts: { start: string };
  };
  const [, , ...words] = scripts.start.split(" ");
  return {
    flags: words.filter((word) => word.startsWith("--")),
    program: words.filter((word) => !word.startsWith("--")),
  };
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

/** A port of loopback that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
