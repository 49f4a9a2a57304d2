import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ABOVE_WINGS, read, ROOT, WINGS, written } from "./checkout.ts";

/** The loose files of these wings are a room together, which the row of the wing describes. */
const WITH_LOOSE_FILES = new Set(["platform", "doors"]);

test("the map of ARCHITECTURE.md has every room in one line, and no other", () => {
  const [, map = ""] = /^## The map\n([^]*?)^## /m.exec(read("ARCHITECTURE.md")) ?? [];
  const complaints = Object.keys(WINGS).flatMap((wing) => {
    const [, section = ""] = new RegExp(`^### ${wing}/\n([^]*?)^### `, "m").exec(map) ?? [];
    const rows = [...section.matchAll(/^\| (`.*?) \|.*\|$/gm)];
    const named = rows.flatMap(([, places = ""]) => [...places.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
    const entries = fs.readdirSync(path.join(ROOT, "src", wing), { withFileTypes: true });
    const there = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    const rooms = WITH_LOOSE_FILES.has(wing) ? there.filter((name) => name.endsWith("/")) : there;
    return [
      rooms.filter((room) => !named.includes(room)).map((room) => `src/${wing}/${room} has no row in the map`),
      named.filter((name) => !there.includes(name)).map((name) => `the map has ${name}, and src/${wing}/ has not`),
      rows.filter(([row]) => row.length > 120).map(([, place]) => `${place}: one line of 120 columns in the map`),
    ].flat();
  });
  const [, beside = ""] = /^### Beside the wings\n([^]*?)^##/m.exec(map) ?? [];
  const others = [...beside.matchAll(/^\| `([^`]+)` \|/gm)].map(([, place = ""]) => place);
  for (const entry of ABOVE_WINGS) {
    if (!others.some((place) => place.replace(/\/$|\.[jt]s$/, "") === `src/${entry}`))
      complaints.push(`src/${entry} has no row`);
  }
  complaints.push(
    ...others.filter((place) => !fs.existsSync(path.join(ROOT, place))).map((place) => `${place} does not exist`),
  );
  assert.deepEqual(complaints, []);
});

test("no two test files have the same name", () => {
  const files = written.filter(({ name }) => /\.(?:test|citus)\.ts$/.test(name));
  const alike = [...Map.groupBy(files, ({ name }) => path.basename(name)).values()].filter(({ length }) => length > 1);
  const complaints = alike.map((those) => `${those.map(({ name }) => name).join(", ")}: name each by what it promises`);
  assert.deepEqual(complaints, []);
});

const MOST_TERMS = 40;

test(`docs/words.md has at most ${MOST_TERMS} terms, in alphabetical order`, () => {
  const terms = [...read("docs/words.md").matchAll(/^\| ([a-z][a-z ]*) \|/gm)].map(([, term = ""]) => term).slice(1);
  assert.ok(
    terms.length > 0 && terms.length <= MOST_TERMS,
    `${terms.length} terms: remove those that every engineer knows`,
  );
  assert.deepEqual(terms, terms.toSorted());
});
