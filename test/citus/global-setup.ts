import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { connectionTo, createNode, killNode, type Node } from "./nodes.ts";

const NODES = ["coordinator", "worker-1", "worker-2"];

const nodes: Node[] = [];
let directory = "";

/** A cluster of three nodes for the whole run; each test file distributes a database of its own (test/harness.ts). */
export async function globalSetup(): Promise<void> {
  const binaries = process.env.LIAISON_CITUS_BIN ?? "";
  const missing = ["initdb", "postgres"].filter((program) => !fs.existsSync(path.join(binaries, program)));
  if (binaries === "" || missing.length > 0) {
    console.error(
      "LIAISON_CITUS_BIN must name the folder with initdb and postgres of a PostgreSQL 15 or newer that has the extension citus.",
    );
    process.exit(1);
  }
  directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-citus-"));
  fs.chmodSync(directory, 0o755);
  for (const name of NODES) nodes.push(await createNode(binaries, path.join(directory, name)));
  process.env.LIAISON_TEST_NODES = JSON.stringify(nodes);
  process.env.LIAISON_TEST_CLUSTER = JSON.stringify(connectionTo(nodes[0] as Node));
}

export async function globalTeardown(): Promise<void> {
  for (const node of nodes) await killNode(node);
  fs.rmSync(directory, { recursive: true, force: true });
}
