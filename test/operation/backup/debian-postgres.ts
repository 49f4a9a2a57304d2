import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { accountForPostgres } from "../../citus/nodes.ts";
import { freePort } from "../../program.ts";

/** PostgreSQL's own programs, as Debian's package brings them. */
const BINARIES = process.env.LIAISON_TEST_POSTGRES_BIN ?? newestOf("/usr/lib/postgresql");

/** Places of a PostgreSQL that archives its log, with its owner, who is no superuser. */
export type ArchivingPostgres = {
  /** Of the database. */
  url: string;
  /** A directory of files, of which the server is one that is started. */
  place(name: string): string;
  archive: string;
  run(program: string, ...argv: string[]): Promise<string>;
  start(directory: string): Promise<void>;
  /** @param mode PostgreSQL's: `fast` ends it in order, `immediate` as a crash does */
  stop(directory: string, mode: "fast" | "immediate"): Promise<void>;
  /** The statements of a superuser. */
  psql(...statements: string[]): Promise<string>;
};

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
wal_level = replica
archive_mode = on
archive_timeout = 60
`;

/** Makes and starts one in `place("primary")`; ended, with its files, when the test file ends. */
export async function createArchivingPostgres(): Promise<ArchivingPostgres> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-archiving-"));
  const account = accountForPostgres();
  if (account !== null) fs.chownSync(root, account.uid, account.gid);
  const port = String(await freePort());
  const [place, archive] = [(name: string) => path.join(root, name), path.join(root, "archive")];

  const run: ArchivingPostgres["run"] = async (program, ...argv) => {
    const child = spawn(path.join(BINARIES, program), argv, {
      ...account,
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", PGHOST: "127.0.0.1", PGPORT: port, PGUSER: "postgres" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [said, complaints] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
    // A server that it starts keeps the pipes open.
    const [code] = (await once(child, program === "pg_ctl" ? "exit" : "close")) as [number | null];
    if (code !== 0) throw new Error(`${program} ${argv.join(" ")}: ${complaints}`);
    return said;
  };
  const start = async (directory: string) => {
    const log = `${directory}.log`;
    const argv = ["-w", "-t", "60", "-D", directory, "-l", log, "-o", `-p ${port}`, "start"];
    await run("pg_ctl", ...argv).catch((error: Error) => {
      throw new Error(`${error.message}\n${fs.readFileSync(log, "utf8")}`);
    });
  };
  const stop: ArchivingPostgres["stop"] = async (directory, mode) =>
    void (await run("pg_ctl", "-w", "-D", directory, "-m", mode, "stop"));
  const psql: ArchivingPostgres["psql"] = async (...statements) =>
    await run(
      "psql",
      "-d",
      "postgres",
      "-AtqX",
      "-v",
      "ON_ERROR_STOP=1",
      ...statements.flatMap((each) => ["-c", each]),
    );

  after(async () => {
    for (const name of fs.readdirSync(root))
      if (fs.existsSync(path.join(place(name), "postmaster.pid"))) await stop(place(name), "immediate");
    fs.rmSync(root, { recursive: true });
  });
  fs.mkdirSync(archive);
  if (account !== null) fs.chownSync(archive, account.uid, account.gid);
  await run(
    "initdb",
    "-D",
    place("primary"),
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  );
  const archiving = `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'\n`;
  fs.appendFileSync(path.join(place("primary"), "postgresql.conf"), SETTINGS + archiving);
  await start(place("primary"));
  await psql("create role liaison login createrole", "create database liaison owner liaison");
  return { url: `postgres://liaison@127.0.0.1:${port}/liaison`, place, archive, run, start, stop, psql };
}

/** The programs of the newest version in a folder. */
function newestOf(folder: string): string {
  const versions = fs.existsSync(folder) ? fs.readdirSync(folder).map(Number) : [];
  const newest = versions.toSorted((a, b) => b - a).find((each) => each >= 15);
  if (newest !== undefined) return path.join(folder, String(newest), "bin");
  throw new Error(
    `This test needs PostgreSQL's own programs: install Debian's postgresql package (15 or newer), or let LIAISON_TEST_POSTGRES_BIN name the folder with initdb and pg_basebackup.`,
  );
}
