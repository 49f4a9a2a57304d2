import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createInstallation } from "./cli/installation.ts";
import { createDataDirectory } from "./failure/data-directory.ts";
import { request } from "./harness.ts";
import { poll, start } from "./program.ts";
import { read, ROOT } from "./tidy/checkout.ts";

/** The files of the image: those that the Dockerfile copies, of those that .dockerignore leaves. */

const copies = [...read("Dockerfile").matchAll(/^COPY (.+) (\S+)$/gm)].map(([, sources = "", target = ""]) => ({
  sources: sources.split(" "),
  target,
}));
const patterns = read(".dockerignore").trim().split("\n");

/** As Docker: the last pattern that fits a file, or a folder above it, decides. */
function isIgnored(file: string): boolean {
  const parts = file.split("/");
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const last = patterns.findLast((pattern) => paths.some((each) => path.matchesGlob(each, pattern.replace("!", ""))));
  return last !== undefined && !last.startsWith("!");
}

/** Copies the files to a new folder, with this checkout's packages beside them. */
function createImage(): string {
  const image = createDataDirectory("app");
  fs.mkdirSync(image);
  for (const { sources, target } of copies) {
    for (const source of sources) {
      const found = fs.globSync(source, { cwd: ROOT });
      assert.ok(found.length > 0, `${source} is not there`);
      for (const name of found) {
        const isFolder = fs.statSync(path.join(ROOT, name)).isDirectory();
        const to = path.join(image, target, target.endsWith("/") ? path.basename(name) : "");
        const filter = (file: string) => fs.statSync(file).isDirectory() || !isIgnored(path.relative(ROOT, file));
        fs.cpSync(path.join(ROOT, name), to, { recursive: isFolder, filter });
      }
    }
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(image, "node_modules"));
  return image;
}

async function serveFrom(image: string): Promise<string> {
  const { environment } = await createInstallation();
  const program = start(["serve"], environment, "", [], path.join(image, "src/main.ts"));
  await poll("the start from the image's files", () => {
    assert.equal(program.process.exitCode, null, program.complaints());
    return program.output().includes("Liaison is ready at");
  });
  return /Liaison is ready at (\S+)/.exec(program.output())?.[1] ?? "";
}

const PAGES = ["/docs", "/docs.md", "/docs/guides/agents", "/docs/guides/lists", "/docs/errors/key_missing"];
const OTHERS = ["/llms.txt", "/docs/api/companies", "/docs/contract/1", "/docs/changelog", "/api/v1/openapi.json"];

test("the files of the image are all that a server and its reference need", async () => {
  const url = await serveFrom(createImage());
  for (const page of [...PAGES, ...OTHERS, "/sign-in", "/health/ready"])
    assert.equal((await request(url, "GET", page)).status, 200, page);
  const { headers } = await request(url, "GET", "/api/v1/companies");
  const [, help = ""] = /^<(.*)>; rel="help"$/.exec(headers.get("link") ?? "") ?? [];
  assert.equal((await request(url, "GET", help)).status, 200);
});

test("a missing document costs its own pages, and not the reference", async () => {
  const image = createImage();
  fs.rmSync(path.join(image, "docs/agents.md"));
  const url = await serveFrom(image);
  assert.equal((await request(url, "GET", "/docs/guides/agents")).status, 404);
  for (const page of [...PAGES, ...OTHERS].filter((each) => each !== "/docs/guides/agents"))
    assert.equal((await request(url, "GET", page)).status, 200, page);
  assert.doesNotMatch((await request(url, "GET", "/docs")).text, /guides\/agents/);
});
