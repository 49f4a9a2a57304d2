import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import type { Paper } from "../src/kit/paper/paper.ts";
import { requester } from "./cli/installation.ts";
import { createDataDirectory } from "./failure/data-directory.ts";
import { request } from "./harness.ts";
import { scrape } from "./metrics-text.ts";
import { freePort, poll, startAlone } from "./program.ts";
import { ROOT } from "./tidy/checkout.ts";

/** The release of this commit, in a clone without changes, as `npm run release` makes it. */
const clone = createDataDirectory("clone");
const dist = createDataDirectory("dist");
execFileSync("git", ["clone", "-q", "--no-hardlinks", ROOT, clone]);
fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(clone, "node_modules"));
execFileSync("git", ["config", "core.excludesFile", "/dev/null"], { cwd: clone });
fs.writeFileSync(path.join(clone, ".git/info/exclude"), "/node_modules\n");
execFileSync(process.execPath, ["release/make-release.ts", dist, process.arch], {
  cwd: clone,
  stdio: ["ignore", "pipe", "inherit"],
});

const MOST_BYTES = 260 * 2 ** 20;
const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
const name = `liaison-${version}-linux-${process.arch}`;
const unpacked = createDataDirectory("unpacked");
fs.mkdirSync(unpacked);
execFileSync("tar", ["-xf", path.join(dist, `${name}.tar.gz`), "-C", unpacked]);

/** Nothing of this machine but its shell. */
const BARE = { PATH: "/usr/bin:/bin" };

/** Starts an installed release with the demo, and asks it who it is at each of its doors. */
async function startsAndKnowsItself(program: string): Promise<void> {
  const said = execFileSync(program, ["--version"], { env: BARE, cwd: "/", encoding: "utf8" });
  assert.equal(said, `liaison ${version} (${commit.slice(0, 12)})\n`);
  const port = await freePort();
  const server = startAlone(program, ["serve"], {
    ...BARE,
    PORT: "0",
    LIAISON_DATA_DIR: createDataDirectory(),
    LIAISON_METRICS_PORT: String(port),
    LIAISON_DRAIN_SECONDS: "0",
  });
  await poll("the start of the release", () => {
    assert.equal(server.process.exitCode, null, server.complaints());
    return server.output().includes("Liaison is ready at");
  });
  const [, url = ""] = /Liaison is ready at (\S+)/.exec(server.output()) ?? [];
  const [, token = ""] = /Bearer (\S+?)"/.exec(server.output()) ?? [];
  const { data } = (await requester(url, token)("GET", "/api/v1/me")).body;
  assert.deepEqual([data.version, data.commit], [version, commit]);
  assert.equal((await request(url, "GET", "/api/v1/openapi.json")).body.info.version, version);
  assert.equal((await scrape(`http://127.0.0.1:${port}/metrics`)).value("liaison_build_info", { version, commit }), 1);
  const line =
    server
      .complaints()
      .split("\n")
      .find((each) => each.includes("Liaison is ready")) ?? "{}";
  assert.deepEqual([JSON.parse(line).version, JSON.parse(line).commit], [version, commit]);
  for (const page of ["/docs", "/docs/guides/agents", "/sign-in", "/llms.txt"])
    assert.equal((await request(url, "GET", page)).status, 200, page);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}

test("the tarball is small, needs nothing of the machine, and knows its version and its commit", async () => {
  const tree = path.join(unpacked, name);
  const [bytes = ""] = execFileSync("du", ["-sb", tree], { encoding: "utf8" }).split("\t");
  assert.ok(Number(bytes) <= MOST_BYTES, `${bytes} bytes`);
  await startsAndKnowsItself(path.join(tree, "bin/liaison"));
});

test("a PDF is made with what the tarball has", () => {
  const tree = path.join(unpacked, name);
  const paper: Paper = {
    language: "ro",
    title: "Factură",
    number: "1",
    mark: null,
    facts: [],
    parties: [],
    logo: null,
    place: null,
    table: null,
    sums: [],
    notes: [],
  };
  const program = `new (require("node:worker_threads").Worker)(${JSON.stringify(path.join(tree, "src/kit/paper/paper-thread.ts"))}, {
    workerData: ${JSON.stringify(paper)},
  }).on("message", (pdf) => console.log(Buffer.from(pdf).toString("latin1", 0, 5)))`;
  assert.equal(
    execFileSync(path.join(tree, "bin/node"), ["-e", program], { env: BARE, cwd: "/", encoding: "utf8" }),
    "%PDF-\n",
  );
});

test("the Debian package is installed by dpkg into a folder, and the server starts from there", async () => {
  const [deb = ""] = fs.globSync(path.join(dist, "*.deb"));
  const root = createDataDirectory("root");
  fs.mkdirSync(root);
  const options = ["--root", root, "--force-depends", "--force-script-chrootless", "--log=/dev/null"];
  if (spawnSync("dpkg", ["--version"]).status === 0 && process.getuid?.() === 0) {
    fs.mkdirSync(path.join(root, "var/lib/dpkg"), { recursive: true });
    for (const file of ["status", "available"]) fs.writeFileSync(path.join(root, "var/lib/dpkg", file), "");
    execFileSync("dpkg", [...options, "-i", deb], { stdio: "pipe" });
    assert.match(
      execFileSync("dpkg-query", ["--admindir", path.join(root, "var/lib/dpkg"), "-W", "liaison"], {
        encoding: "utf8",
      }),
      new RegExp(`^liaison\t${version}$`, "m"),
    );
  } else {
    const packed = execFileSync("ar", ["p", deb, "data.tar.gz"], { maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-xz", "-C", root], { input: packed });
  }
  const settings = fs.readFileSync(path.join(root, "etc/liaison.env"), "utf8");
  assert.deepEqual(settings.match(/^[A-Z].*$/gm), ["LIAISON_DATA_DIR=/var/lib/liaison/data", "LIAISON_DEMO=off"]);
  assert.ok((settings.match(/^#[A-Z_]+=/gm) ?? []).length > 25);
  assert.ok(fs.existsSync(path.join(root, "usr/lib/sysusers.d/liaison.conf")));
  const unit = fs.readFileSync(path.join(root, "usr/lib/systemd/system/liaison.service"), "utf8");
  const installed = path.join(root, "liaison.service");
  fs.writeFileSync(installed, unit.replaceAll("/usr/bin/liaison", path.join(root, "usr/bin/liaison")));
  const verified = spawnSync("systemd-analyze", ["verify", installed], { encoding: "utf8" });
  if (verified.error === undefined) assert.deepEqual([verified.status, verified.stderr], [0, ""]);
  fs.rmSync(installed);
  await startsAndKnowsItself(path.join(root, "usr/bin/liaison"));
  if (!fs.existsSync(path.join(root, "var/lib/dpkg"))) return;
  execFileSync("dpkg", [...options, "-r", "liaison"], { stdio: "pipe" });
  assert.equal(fs.existsSync(path.join(root, "usr/lib/liaison")), false, "a removed package leaves nothing there");
});

test("the sums are right, every package is in the parts list and has its licence, and the changes are of this version", () => {
  const sums = fs.readFileSync(path.join(dist, "SHA256SUMS"), "utf8").trim().split("\n");
  assert.equal(sums.length, fs.readdirSync(dist).length - 1);
  for (const line of sums) {
    const [sum, file = ""] = line.split("  ");
    assert.equal(
      createHash("sha256")
        .update(fs.readFileSync(path.join(dist, file)))
        .digest("hex"),
      sum,
      file,
    );
  }
  const { bomFormat, components } = JSON.parse(fs.readFileSync(path.join(dist, `${name}.cdx.json`), "utf8")) as {
    bomFormat: string;
    components: { name: string; version: string }[];
  };
  assert.equal(bomFormat, "CycloneDX");
  const notices = fs.readFileSync(path.join(dist, "THIRD-PARTY-NOTICES"), "utf8");
  for (const part of [...components, { name: `node-linux-${process.arch}` }, { name: "fastify" }])
    assert.ok(notices.includes(`\n${part.name} `), part.name);
  assert.match(fs.readFileSync(path.join(dist, "NOTICE"), "utf8"), /^Liaison is UNLICENSED/);
  assert.match(fs.readFileSync(path.join(dist, `CHANGELOG-${version}.md`), "utf8"), new RegExp(`^## ${version}\n`));
});
