import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { routes } from "../src/doors/routes.ts";
import { capabilities } from "../src/people/api-keys/capability.ts";
import { BODY_LIMIT } from "../src/platform/http/body.ts";
import { LOCK_TIMEOUT_MS } from "../src/platform/postgres/transactions/transaction.ts";

test("docs/contract.md 2.4 lists the capabilities, each once", () => {
  const [, section = ""] = /^### 2\.4 Capabilities\n\n([^]*?)\. `changes:read` shows/m.exec(read("contract")) ?? [];
  const listed = [...section.matchAll(/`([a-z-]+:[a-z]+)`/g)].map(([, name = ""]) => name);
  assert.deepEqual(listed.toSorted(), capabilities.toSorted());
});

test("docs/operations.md 10 has the limits of bodies and locks", () => {
  const [, section = ""] = /^## 10\. [^]*?^\| limit \| value \|\n([^]*?)\n\n/m.exec(read("operations")) ?? [];
  const limits = new Map([...section.matchAll(/^\| (.*?) \| (.*?) \|$/gm)].map(([, name, value]) => [name, value]));
  const ofBatches = new Set(routes.flatMap(({ bodyLimit }) => bodyLimit ?? []));
  const mebibytes = [BODY_LIMIT, ...ofBatches].map((bytes) => `${bytes / 2 ** 20} MiB`);
  assert.equal(limits.get("body"), `${mebibytes.join(", of a batch ")}, of a form without a session 64 KiB`);
  assert.equal(limits.get("waiting for a lock"), `${LOCK_TIMEOUT_MS / 1_000} s, then 503`);
});

function read(page: "contract" | "operations"): string {
  return fs.readFileSync(new URL(`../docs/${page}.md`, import.meta.url), "utf8");
}
