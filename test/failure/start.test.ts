import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/kit/config.ts";
import { ConfigError } from "../../src/platform/setting.ts";
import { createDatabase } from "../harness.ts";
import { databaseUrl, freePort } from "../program.ts";
import { createDataDirectory } from "./data-directory.ts";
import { refuses } from "./refused-starts.ts";

const wrong: Record<string, string> = {
  PORT: "65536",
  DATABASE_URL: "mysql://root:hunter2@localhost/x",
  LIAISON_ENCRYPTION_KEYS: "k1:hunter2",
  LIAISON_PUBLIC_URL: "ftp://x",
  LIAISON_TRUSTED_PROXIES: "10.0.0.0/33",
  LIAISON_CORS_ORIGINS: "https://app.example.com/",
  LIAISON_RATE_LIMIT: "-1",
  LIAISON_AUTH_FAILURE_LIMIT: "many",
  LIAISON_IMPORT_QUOTA: "0",
  LIAISON_METRICS_PORT: "65536",
  LIAISON_ACCESS_LOG: "yes",
  LIAISON_DEMO: "maybe",
  LIAISON_WMS_URL: "https://hunter2@wms.example/{subdomain}",
  LIAISON_WMS_SOURCE: "a/b",
  LIAISON_WMS_PRIVATE_NETWORKS: "127.1",
  LIAISON_WMS_TIMEOUT: "0",
  LIAISON_WMS_CONCURRENCY: "0",
  LIAISON_WMS_SETTLE: "1m",
  LIAISON_WMS_RETRY_MS: "0",
  LIAISON_WMS_POLL: "0",
  LIAISON_WMS_FINAL: "shipped,,",
  LOG_LEVEL: "loud",
};

test("every wrong setting is refused with one line that names it, and never its value", () => {
  for (const [variable, value] of Object.entries(wrong)) {
    const read = () => readConfig({ LIAISON_DATA_DIR: "data", [variable]: value });
    assert.throws(read, (error) => {
      assert.ok(error instanceof ConfigError, variable);
      assert.match(error.message, new RegExp(`^${variable} must .+\\.$`));
      assert.equal(value.length > 1 && error.message.includes(value), false, variable);
      return true;
    });
  }
});

// Of all of them the program says that line: the first that it reads, one with a secret, and the last.

for (const variable of ["PORT", "LIAISON_ENCRYPTION_KEYS", "LIAISON_WMS_FINAL"]) {
  test(`a wrong ${variable} stops the start with that line`, async () => {
    const value = String(wrong[variable]);
    const dataDir = createDataDirectory();
    const said = await refuses({ LIAISON_DATA_DIR: dataDir, [variable]: value }, new RegExp(`^${variable} must`));
    assert.equal(said.includes(value), false, "never its value");
    assert.equal(fs.existsSync(dataDir), false, "and nothing is made");
  });
}

test("a LIAISON_DATA_DIR that cannot be one stops the start with one line that names it", async () => {
  const file = path.join(path.dirname(createDataDirectory()), "file");
  fs.writeFileSync(file, "");
  for (const dataDir of [file, path.join(file, "data")]) {
    await refuses({ LIAISON_DATA_DIR: dataDir }, /^LIAISON_DATA_DIR .+ is not usable/);
    // With a database elsewhere it still holds the encryption keys.
    await refuses(
      { DATABASE_URL: databaseUrl(await createDatabase()), LIAISON_DATA_DIR: dataDir },
      /LIAISON_DATA_DIR /,
    );
  }
});

test("a LIAISON_DATA_DIR on a read-only disk stops the start with a line that says so", async (context) => {
  const disk = createDataDirectory("disk");
  fs.mkdirSync(disk);
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", disk]).status !== 0) return context.skip();
  try {
    for (const dataDir of [disk, path.join(disk, "data"), path.join(disk, "a/b")])
      await refuses(
        { LIAISON_DATA_DIR: dataDir },
        /^LIAISON_DATA_DIR \S+ is not usable: read-only file system\. Name a directory that this user can write\.$/m,
      );
  } finally {
    spawnSync("umount", ["-l", disk]);
  }
});

test("a database that refuses us stops the start with one line, without the password", async () => {
  const { host, port, user } = await createDatabase();
  const address = `${user}:hunter2@${encodeURIComponent(String(host))}:${port}`;
  const said = await refuses(
    { DATABASE_URL: `postgres://${address}/nowhere`, LIAISON_DATA_DIR: createDataDirectory() },
    /^The database of DATABASE_URL cannot be used: database "nowhere" does not exist/,
  );
  assert.equal(said.includes("hunter2"), false);
});

test("a database that does not answer stops the start with one line, after a while", async () => {
  await refuses(
    {
      DATABASE_URL: `postgres://someone:hunter2@127.0.0.1:${await freePort()}/x`,
      LIAISON_DATA_DIR: createDataDirectory(),
    },
    /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED/,
  );
});
