import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ABOVE_WINGS, production, read, ROOT, wingOf, WINGS, written } from "./checkout.ts";

const wings = Object.keys(WINGS);

test("a wing imports only the wings that its row names", () => {
  const mayImport = (from: string, to: string) => from === to || (WINGS[from] ?? []).includes(to);
  const complaints = production.flatMap(({ name, imports }) => {
    const from = wingOf(name);
    if (ABOVE_WINGS.includes(from)) return [];
    return imports
      .map((imported) => ({ imported, to: wingOf(imported) }))
      .filter(({ to }) => !mayImport(from, to))
      .map(({ imported, to }) => {
        const callers = wings.filter((wing) => mayImport(wing, to)).join(", ") || ABOVE_WINGS.join(", ");
        const below = wings.filter((wing) => mayImport(from, wing) && mayImport(to, wing)).join(", ") || "no wing";
        return `${name} imports ${imported}: ${from}/ may not import ${to}. Move the caller into ${callers}; or what both need into ${below}`;
      });
  });
  assert.deepEqual(complaints, []);
});

test("src/ has the wings, and above them the entry, the workers and the command line", () => {
  const entries = fs.readdirSync(path.join(ROOT, "src")).map((name) => path.parse(name).name);
  assert.deepEqual(entries.toSorted(), [...wings, ...ABOVE_WINGS].toSorted(), "a new room belongs into a wing");
});

test("what is above the wings is imported from above them alone", () => {
  const importers: Record<string, RegExp> = {
    main: /^$/,
    cli: /^src\/(?:cli\/|main\.)/,
    worker: /^src\/cli\//,
  };
  const complaints = production.flatMap(({ name, imports }) =>
    imports
      .filter((imported) => importers[wingOf(imported)]?.test(name) === false)
      .map((imported) => `${name} imports ${imported}: pass it what it needs, or move what both need into a wing`),
  );
  assert.deepEqual(complaints, []);
});

test("ARCHITECTURE.md has the same table of wings", () => {
  const rows = [...read("ARCHITECTURE.md").matchAll(/^\| `src\/([a-z]+)\/` \| [^|]+ \| ([^|]+) \|$/gm)];
  assert.deepEqual(
    rows.map(([, wing]) => wing),
    wings,
  );
  for (const [, wing = "", imports = ""] of rows) {
    const [, butFor = ""] = /^all above(?: but `([a-z]+)\/`)?$/.exec(imports) ?? [];
    const named = imports.startsWith("all above")
      ? wings.slice(0, wings.indexOf(wing)).filter((each) => each !== butFor)
      : [...imports.matchAll(/`([a-z]+)\/`/g)].map(([, name = ""]) => name);
    assert.deepEqual(new Set(named), new Set(WINGS[wing]), `the row of src/${wing}/ in ARCHITECTURE.md`);
  }
});

/** Folders of a wing in test/ that no room has: tests over the API, over HTTP as browsers send it, and in Chromium. */
const DOORS = ["api", "pages", "browser"];
/** Folders of tests of the whole. */
const OF_THE_WHOLE = ["citus", "clients", "failure", "migrations", "plans", "tidy"];

test("test/ mirrors the wings, so that the path of a room leads to its tests", () => {
  const complaints = written
    .filter(({ name }) => /\.(?:test|long|citus)\.ts$/.test(name))
    .flatMap(({ name }) => {
      const [root, wing = "", room = "", ...rest] = name.split("/");
      if (root !== "test") return [`${name}: move it to the same path in test/`];
      if (!wings.includes(wing)) {
        const isKnown = room === "" || wing === "cli" || OF_THE_WHOLE.includes(wing);
        return isKnown ? [] : [`${name}: test/ has the folders of src/, and ${OF_THE_WHOLE.join(", ")}`];
      }
      if (rest.length === 0 || DOORS.includes(room)) return [];
      if (fs.existsSync(path.join(ROOT, "src", wing, room))) return [];
      return [`${name}: src/${wing}/ has no room ${room}: move it into that of its room, or into ${DOORS.join(", ")}`];
    });
  assert.deepEqual(complaints, []);
});
