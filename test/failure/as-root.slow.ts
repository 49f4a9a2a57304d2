import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { start } from "../program.ts";
import { connectTo, createDataDirectory, postmasterOf, serveFrom } from "./data-directory.ts";

/**
 * What root starts or runs. Where the tests are run by an ordinary user the files are that user's, and the same
 * sentences hold.
 */
const isRoot = process.getuid?.() === 0;

test("what root does in a user's data directory stays that user's: the database, its log, the keys", async () => {
  const user = isRoot ? userNamed("daemon") : ourselves();
  const dataDir = createDataDirectory();
  fs.mkdirSync(dataDir);
  fs.chownSync(dataDir, user.uid, user.gid);
  await succeeds(["init"], dataDir);
  await succeeds(["tenant", "create", "acme", "--name", "Acme"], dataDir);
  const keyFile = path.join(dataDir, "encryption.keys");
  fs.chmodSync(keyFile, 0o640);
  const before = fs.readFileSync(keyFile, "utf8");

  await succeeds(["encryption", "rotate"], dataDir);
  const read = spawnSync("/bin/cat", [keyFile], { ...(isRoot ? user : {}), cwd: "/", encoding: "utf8" });
  assert.ok(read.stdout.trim().endsWith(before.trim()) && read.stdout.length > before.length, read.stderr);
  assert.equal(fs.statSync(keyFile).mode & 0o777, 0o640, "its mode is the operator's");
  for (const name of fs.readdirSync(dataDir, { recursive: true, encoding: "utf8" })) {
    const { uid, gid } = fs.lstatSync(path.join(dataDir, name));
    assert.deepEqual({ uid, gid }, user, name);
  }
});

test("a data directory that root has to make belongs to the owner of the directory that it is made in", async () => {
  const user = isRoot ? userNamed("daemon") : ourselves();
  const parent = path.dirname(createDataDirectory());
  fs.chownSync(parent, user.uid, user.gid);
  const dataDir = path.join(parent, "data", "deep");
  await succeeds(["init"], dataDir);
  for (const name of ["data", "data/deep", "data/deep/encryption.keys", "data/deep/postgres"]) {
    assert.equal(fs.statSync(path.join(parent, name)).uid, user.uid, name);
  }
});

test("root's database runs as the user liaison, and one that has another owner goes on as that one's", async () => {
  const dataDir = createDataDirectory();
  const cluster = path.join(dataDir, "postgres");
  await succeeds(["init"], dataDir);
  await succeeds(["tenant", "create", "acme", "--name", "Acme"], dataDir);
  assert.equal(fs.statSync(cluster).uid, isRoot ? userNamed("liaison").uid : ourselves().uid);

  const user = isRoot ? userNamed("daemon") : ourselves();
  spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, cluster]);
  const server = await serveFrom(dataDir);
  assert.notEqual(postmasterOf(dataDir), null);
  assert.equal(fs.statSync(path.join(cluster, "postmaster.pid")).uid, user.uid);
  const owner = await connectTo(dataDir);
  assert.deepEqual((await owner.query("select slug from tenants")).rows, [{ slug: "acme" }]);
  await owner.end();
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

async function succeeds(argv: string[], dataDir: string): Promise<void> {
  const { code, stderr } = await start(argv, { LIAISON_DATA_DIR: dataDir }).finished();
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
}

function userNamed(name: string): { uid: number; gid: number } {
  const entry = /^[^:]*:[^:]*:(\d+):(\d+)/.exec(
    fs
      .readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .find((line) => line.startsWith(`${name}:`)) ?? "",
  );
  assert.notEqual(entry, null, `there is a user named ${name}`);
  return { uid: Number(entry?.[1]), gid: Number(entry?.[2]) };
}

function ourselves(): { uid: number; gid: number } {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}
