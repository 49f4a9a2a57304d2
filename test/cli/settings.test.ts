import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/kit/config.ts";
import { createDataDirectory } from "../failure/data-directory.ts";
import { createDatabase, request } from "../harness.ts";
import type { Finished } from "../hosted-commands.ts";
import { databaseUrl, serve, start } from "../program.ts";

const directory = path.dirname(createDataDirectory());
const keys = `k1:${randomBytes(32).toString("base64")}`;

/** A file of settings, its owner's alone unless told otherwise. */
function write(name: string, text: string, mode = 0o600): string {
  const file = path.join(directory, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  fs.chmodSync(file, mode);
  return file;
}

async function run(argv: string[], environment: Record<string, string> = {}): Promise<Finished> {
  return await start(argv, environment).finished();
}

const installation = databaseUrl(await createDatabase());
const dataDir = path.join(directory, "data");
const settings = { DATABASE_URL: installation, LIAISON_ENCRYPTION_KEYS: keys, LIAISON_DATA_DIR: dataDir };
assert.equal((await run(["tenant", "create", "acme", "--name", "Acme"], settings)).code, 0);
const complete = [
  "# Of the server.",
  `DATABASE_URL="${installation}"`,
  "",
  `  LIAISON_ENCRYPTION_KEYS='${keys}'  \r`,
  `LIAISON_DATA_DIR=${dataDir}`,
  "",
].join("\n");

const isAcme = ({ code, stdout, stderr }: Finished): boolean => {
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return /^1 +acme /m.test(stdout);
};

test("docs/operations.md 2 has every setting that is read, and no other", () => {
  const read = new Set<string>();
  readConfig(new Proxy({}, { get: (_, name) => void read.add(String(name)) }));
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/operations.md"), "utf8");
  const [, section = ""] = /^## 2\. Environment\n([^]*?)^### /m.exec(page) ?? [];
  const cells = [...section.matchAll(/^\| (`.+?) \|/gm)].map(([, cell = ""]) => cell).join(" ");
  assert.deepEqual(cells.match(/\w+/g)?.toSorted(), [...read].toSorted());
});

test("--config names a file of settings, before a command or behind it", async () => {
  const file = write("server.env", complete);
  assert.ok(isAcme(await run(["tenant", "list", "--config", file])));
  assert.ok(isAcme(await run(["--config", file, "tenant", "list"])));
  const server = await serve({}, [], ["--config", file, "--processes", "2"]);
  assert.equal((await request(server.url, "GET", "/health/ready")).status, 200);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0);
});

test("the environment of the process wins over the file, and what is empty there counts as unset", async () => {
  const file = write("wrong.env", complete.replace(/^DATABASE_URL.*$/m, "DATABASE_URL_FILE=/nowhere\nPORT=no"));
  const list = ["tenant", "list", "--config", file];
  assert.match((await run(list, { DATABASE_URL: installation, PORT: "" })).stderr, /^PORT must be/);
  assert.ok(isAcme(await run(list, { DATABASE_URL: installation, PORT: "0" })));
});

test("without --config a command reads /etc/liaison.env where it is", async () => {
  const file = write("etc/liaison.env", complete);
  const within = etcAt(path.dirname(file));
  const argv = ["tenant", "list", ...(within.length === 0 ? ["--config", file] : [])];
  assert.ok(isAcme(await start(argv, {}, "", within).finished()));
});

test("a line that is no setting, a setting twice and a file that is not there are refused by file and line, without a value", async () => {
  const complaints: [text: string, expected: string][] = [
    ["PORT=1\nhunter2\n", "line 2, must be NAME=VALUE, a comment (#) or empty."],
    [
      "; PORT=1\nLIAISON_MAIL_FROM=hunter\\2",
      "line 2, has a backslash, which systemd removes: put the value in single quotation marks.",
    ],
    ["export PORT=hunter2", "line 1, must be NAME=VALUE, a comment (#) or empty."],
    ["#\nPORT=1\n\nPORT=hunter2", "line 4, sets PORT a second time."],
    ['DATABASE_URL="hunter2', "line 1, has a quotation mark that is not closed."],
  ];
  for (const [text, expected] of complaints) {
    const file = write("broken.env", text);
    const { code, stderr } = await run(["tenant", "list", "--config", file]);
    assert.deepEqual([code, stderr], [1, `${file}, ${expected}\n`]);
  }
  const nowhere = path.join(directory, "nowhere.env");
  assert.match((await run(["doctor", "--config", nowhere])).stderr, /nowhere\.env is not there: --config names/);
  assert.match(
    (await run(["worker", "--config", directory])).stderr,
    /cannot be read: illegal operation on a directory/,
  );
});

test("a secret may stand in a file of its own, but not in both places", async () => {
  const environment = {
    DATABASE_URL_FILE: write("url", `${installation}\n`),
    LIAISON_ENCRYPTION_KEYS_FILE: write("keys", `${keys}\n`),
    LIAISON_DATA_DIR: dataDir,
  };
  assert.ok(isAcme(await run(["tenant", "list"], environment)));
  const said = async (more: Record<string, string>) =>
    (await run(["tenant", "list"], { ...environment, ...more })).stderr;
  assert.equal(
    await said({ DATABASE_URL: installation }),
    "DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them.\n",
  );
  assert.match(
    await said({ DATABASE_URL_FILE: "/nowhere" }),
    /^DATABASE_URL_FILE names \/nowhere, which is not there\.$/m,
  );
  const empty = write("empty", "\n");
  assert.match(
    await said({ LIAISON_ENCRYPTION_KEYS_FILE: empty }),
    /^LIAISON_ENCRYPTION_KEYS_FILE names \S+, which is empty\.$/m,
  );
  assert.match(await said({ DATABASE_URL_FILE: write("wrong", "hunter2") }), /^DATABASE_URL must be a URL/);
});

test("a file with secrets that everybody may read is reported, and used", async () => {
  const open = write("open.env", complete, 0o644);
  const { code, stderr } = await run(["tenant", "list", "--config", open]);
  assert.deepEqual([code, stderr], [0, `${open} has secrets, and everybody may read it: chmod o-r ${open}\n`]);
  assert.equal(
    (
      await run(["backup", "verify", "--config", write("plain.env", "LOG_LEVEL=warn", 0o644), "/nowhere"])
    ).stderr.includes("secrets"),
    false,
  );
});

/** The command that runs another one with a directory in the place of /etc; empty where the machine refuses that. */
function etcAt(etc: string): string[] {
  const mounted = ["sh", "-c", 'mount --bind "$0" /etc && exec "$@"', etc];
  const commands = [
    ["unshare", "--mount", ...mounted],
    ["unshare", "--map-root-user", "--mount", ...mounted],
  ];
  return commands.find(([command = "", ...rest]) => spawnSync(command, [...rest, "true"]).status === 0) ?? [];
}
