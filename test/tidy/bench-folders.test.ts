import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "./checkout.ts";

/** The folders of bench/ (bench/README.md): each may import from those before it. */
const BENCH_FOLDERS = ["tenants", "load", "candidates", "figures", "neighbours", "report"];

test("the folders of bench/ import one way: tenants, load, candidates, figures, neighbours, report", () => {
  const folderOf = (name: string) => /^bench\/([\w-]+)\//.exec(name)?.[1] ?? null;
  const complaints = written.flatMap(({ name, imports }) => {
    const from = folderOf(name);
    if (from === null) return [];
    if (!BENCH_FOLDERS.includes(from)) return [`${name}: bench/${from}/ has no place in this test's order`];
    return imports.flatMap((imported) => {
      const to = folderOf(imported);
      if (to === null || BENCH_FOLDERS.indexOf(to) <= BENCH_FOLDERS.indexOf(from)) return [];
      return [`${name} imports ${imported}: what both need belongs into ${from}/ or a folder before it`];
    });
  });
  assert.deepEqual(complaints, []);
});
