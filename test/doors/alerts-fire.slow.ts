import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { parseYaml } from "@redocly/openapi-core";
import { connectTo, migratedDataDirectory, postmasterOf } from "../failure/data-directory.ts";
import { scrape } from "../metrics-text.ts";
import { freePort, poll, serve, start } from "../program.ts";

const RULES = path.join(import.meta.dirname, "../../docs/operations/alerts.yaml");
const { groups } = parseYaml(fs.readFileSync(RULES, "utf8")) as {
  groups: { rules: { alert: string; expr: string }[] }[];
};

const DAY = "1 day 3 hours";
const disk = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-disk-"));
fs.chmodSync(disk, 0o755);
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=512m,mode=755", "tmpfs", disk]).status === 0;
const dataDir = path.join(disk, "data");
spawnSync("cp", ["-a", await migratedDataDirectory(), dataDir]);
const port = await freePort();
const environment = { LIAISON_DATA_DIR: dataDir, LIAISON_DEMO: "off" };
const server = await serve({ ...environment, LIAISON_METRICS_PORT: String(port) });
after(async () => {
  server.process.kill("SIGTERM");
  await server.ended;
  if (mounted) spawnSync("umount", ["-l", disk]);
  fs.rmSync(disk, { recursive: true });
});

/** Whether a rule's condition holds for what the server answers now; its rules compare gauges. */
async function holds(alert: string, at = port): Promise<boolean> {
  const expr = groups.flatMap(({ rules }) => rules).find((rule) => rule.alert === alert)?.expr ?? "";
  const { series, value } = await scrape(`http://127.0.0.1:${at}/metrics`);
  return expr.split(" or ").some((clause) => {
    const [, left = "", , right, operator, bound] = /^(\w+)( \/ (\w+))? ([<>]) ([\d.]+|\w+)$/.exec(clause) ?? [];
    assert.ok(bound !== undefined, clause);
    const measured = value(left) / (right === undefined ? 1 : value(right));
    // A rule sees nothing where there is no value.
    const limit = /^[\d.]+$/.test(bound) ? Number(bound) : series.find(({ name }) => name === bound)?.value;
    return limit !== undefined && (operator === "<" ? measured < limit : measured > limit);
  });
}

test("the alert of an old backup fires without a backup and with an old one, the doctor says so, and a backup ends both", async () => {
  const owner = await connectTo(dataDir);
  const doctor = async (more = {}) => {
    const { stdout } = await start(["doctor", "--json"], { ...environment, ...more }).finished();
    const { findings } = JSON.parse(stdout) as { findings: { check: string; message: string }[] };
    return findings.filter(({ check }) => check === "backup").map(({ message }) => message);
  };
  assert.deepEqual([await holds("LiaisonBackupOld"), await doctor()], [false, []], "a new database needs none yet");
  await owner.query(`update migrations set run_on = run_on - interval '${DAY}'`);
  assert.equal(await holds("LiaisonBackupOld"), true);
  assert.match(
    String(await doctor()),
    /^There is no backup of this database, which is 27 hours old: run liaison backup/,
  );
  // Both follow the schedule, whose backups fail here.
  const weekly = { LIAISON_BACKUP_TO: "/dev/null/backups", LIAISON_BACKUP_EVERY: "7d" };
  for (const schedule of [weekly, { LIAISON_BACKUP_EVERY: "elsewhere" }]) {
    const other = await freePort();
    const more = { PORT: "0", LIAISON_METRICS_PORT: String(other), LIAISON_DRAIN_SECONDS: "0", ...schedule };
    const second = await serve({ ...environment, ...more });
    assert.deepEqual([await holds("LiaisonBackupOld", other), await doctor(schedule)], [false, []]);
    second.process.kill("SIGTERM");
    assert.equal(await second.ended, 0, second.complaints());
  }
  const file = path.join(disk, "whole.backup");
  assert.equal((await start(["backup", file], environment).finished()).code, 0);
  assert.deepEqual([await holds("LiaisonBackupOld"), await doctor()], [false, []]);
  await owner.query(
    `update settings set value = jsonb_build_object('at', now() - interval '${DAY}') where name = 'last_backup'`,
  );
  assert.equal(await holds("LiaisonBackupOld"), true);
  assert.match(
    String(await doctor({ LIAISON_BACKUP_TO: disk })),
    /^The last backup is 27 hours old: the log of the server/,
  );
  // The clock of the machine that made the last backup was a year ahead.
  await owner.query(
    "update settings set value = jsonb_build_object('at', now() + interval '1 year') where name = 'last_backup'",
  );
  assert.equal(await holds("LiaisonBackupOld"), true);
  assert.match(String(await doctor()), /^There is no backup of this database/);
  await owner.end();
});

test("the alert of a database that is away fires while PostgreSQL pauses, also with several processes", async () => {
  const several = await freePort();
  const more = { PORT: "0", LIAISON_METRICS_PORT: String(several), LIAISON_DRAIN_SECONDS: "0" };
  const second = await serve({ ...environment, ...more }, [], ["--processes", "2"]);
  const owner = await connectTo(dataDir);
  const { rows } = await owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'liaison'",
  );
  // A rule sees nothing where there is no value.
  const up = async (at: number) => {
    const { series } = await scrape(`http://127.0.0.1:${at}/metrics`);
    return series.filter(({ name }) => name === "liaison_database_up").map(({ value }) => value);
  };
  assert.deepEqual([await up(port), await up(several)], [[1], [1]]);
  const all = [postmasterOf(dataDir) ?? 0, ...rows.map(({ pid }) => pid)];
  try {
    for (const pid of all) process.kill(pid, "SIGSTOP");
    assert.deepEqual([await up(port), await up(several)], [[0], [0]]);
  } finally {
    for (const pid of all) process.kill(pid, "SIGCONT");
  }
  await owner.end();
  await poll("its end", async () => (await up(port))[0] === 1 && (await up(several))[0] === 1);
  second.process.kill("SIGTERM");
  assert.equal(await second.ended, 0, second.complaints());
});

test("the alert of connections fires while nearly all of the database's are used", async () => {
  assert.equal(await holds("LiaisonConnectionsUsedUp"), false);
  const taken: Awaited<ReturnType<typeof connectTo>>[] = [];
  await poll("the alert", async () => {
    if (await holds("LiaisonConnectionsUsedUp")) return true;
    taken.push(await connectTo(dataDir));
    return false;
  });
  for (const client of taken) await client.end();
  await poll("its end", async () => !(await holds("LiaisonConnectionsUsedUp")));
});

test("the alert of the disk fires when it is nearly full", async () => {
  const { value } = await scrape(`http://127.0.0.1:${port}/metrics`);
  const { bavail, bsize, blocks } = fs.statfsSync(disk);
  assert.equal(value("liaison_disk_bytes"), blocks * bsize);
  assert.ok(Math.abs(value("liaison_disk_free_bytes") - bavail * bsize) < 2 ** 30);
  // The disk has less than a gibibyte where this account may mount one.
  assert.equal(await holds("LiaisonDiskFills"), bavail * bsize < 2 ** 30 || bavail / blocks < 0.05);
  if (mounted) assert.ok(await holds("LiaisonDiskFills"));
});
