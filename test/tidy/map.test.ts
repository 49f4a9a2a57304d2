import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, production, read, roomOf, written } from "./checkout.ts";

test("the map of ARCHITECTURE.md has every room, in one line each, and nothing that does not exist", () => {
  const [, map = ""] = /^## The map\n([^]*?)^###? /m.exec(read("ARCHITECTURE.md")) ?? [];
  const rows = [...map.matchAll(/^\| (`.*?) \|.*\|$/gm)];
  const places = rows.flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  const complaints = [
    places
      .filter((place) => fs.globSync(place, { cwd: ROOT }).length === 0)
      .map((place) => `${place} is in the map of ARCHITECTURE.md, and does not exist`),
    [...new Set(production.map(({ name }) => roomOf(name)))]
      .filter((room) => !places.includes(path.extname(room) !== "" ? `src/${room}` : `src/${room}/`))
      .map((room) => `src/${room} has no row in the map of ARCHITECTURE.md`),
    rows
      .filter(([row]) => row.length > 120)
      .map(([, place]) => `${place}: one line of 120 columns in the map of ARCHITECTURE.md`),
  ];
  assert.deepEqual(complaints.flat(), []);
});

test("no two files of tests have one name", () => {
  const files = written.filter(({ name }) => /\.(?:test|citus)\.ts$/.test(name));
  const alike = [...Map.groupBy(files, ({ name }) => path.basename(name)).values()].filter(({ length }) => length > 1);
  assert.deepEqual(
    alike.map((group) => `${group.map(({ name }) => name).join(", ")}: name each by what it promises`),
    [],
  );
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
