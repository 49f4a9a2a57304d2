import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createInstallation } from "./cli/installation.ts";
import { request } from "./harness.ts";
import { createImage } from "./image-files.ts";
import { poll, start } from "./program.ts";

async function serveFrom(image: string): Promise<string> {
  const { environment } = await createInstallation();
  const program = start(["serve"], environment, "", [], path.join(image, "src/main.js"));
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
