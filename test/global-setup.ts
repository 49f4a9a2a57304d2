import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { useCluster, type Cluster } from "../src/platform/cluster/embedded-postgres.ts";
import { migrate } from "../src/platform/postgres/migrations/migrate.ts";

/**
 * A file system in memory. PostgreSQL makes 700 files for each database, which costs a disk more than what the test
 * asks for.
 */
const MEMORY = "/dev/shm";
/** Bytes; the files of a whole run are less than half of them. */
const PLENTY = 12 * 2 ** 30;

let cluster: Cluster | null = null;
let directory = "";

/** One cluster for the whole run, without durability; each test file copies the migrated template (test/harness.ts). */
export async function globalSetup(): Promise<void> {
  if (hasPlentyOfMemory()) process.env.TMPDIR = MEMORY;
  directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-test-"));
  fs.chmodSync(directory, 0o755);
  cluster = await useCluster(directory, {
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      max_connections: "300",
      max_wal_size: "1GB",
      // Three hundred databases that come and stay are more work for it than it saves; a test that needs statistics
      // asks for them.
      autovacuum: "off",
    },
  });
  await migrate(cluster.connection);
  process.env.LIAISON_TEST_CLUSTER = JSON.stringify(cluster.connection);
  process.env.LIAISON_TEST_DIRECTORY = directory;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.release();
  fs.rmSync(directory, { recursive: true, force: true });
}

function hasPlentyOfMemory(): boolean {
  if (!fs.existsSync(MEMORY)) return false;
  const { bavail, bsize } = fs.statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory()) >= PLENTY;
}
