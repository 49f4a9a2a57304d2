import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, production, read, roomOf, written } from "./checkout.ts";

test("the map of ARCHITECTURE.md has every room and every test", () => {
  const [, map = ""] = /^## The map\n([^]*?)^## /m.exec(read("ARCHITECTURE.md")) ?? [];
  const [roomTable = "", testTable = ""] = map.split("### Tests of the rooms\n");
  const [, folders = ""] = /^### Folders of test\n([^]*?)^###? /m.exec(map) ?? [];
  const rowsOf = (table: string) => [...table.matchAll(/^\| (`.*?) \|(.*)\|$/gm)];
  const namedIn = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const placesOf = (table: string) => rowsOf(table).flatMap(([, place]) => namedIn(place));
  const places = placesOf(roomTable);
  const tested = placesOf(testTable);
  const tests = rowsOf(testTable).flatMap(([, , cell]) => namedIn(cell));
  const besideIt = rowsOf(testTable).flatMap(([, place, cell]) =>
    cell?.includes("beside it") === true ? namedIn(place) : [],
  );
  const roomsOfTests = new Set(["", ...namedIn(folders)]);
  const files = written.filter(({ name }) => /\.(?:test|citus)\.ts$/.test(name));
  const isIn = (name: string, place: string) =>
    name.startsWith(place) || path.matchesGlob(name, place) || path.matchesGlob(name, `${place}/**`);
  const complaints = [
    [...places, ...tested, ...tests]
      .filter((place) => fs.globSync(place, { cwd: ROOT }).length === 0)
      .map((place) => `${place} is in the map of ARCHITECTURE.md, and not there`),
    [...new Set(production.map(({ name }) => roomOf(name)))]
      .filter((room) => !places.includes(path.extname(room) !== "" ? `src/${room}` : `src/${room}/`))
      .map((room) => `src/${room} has no row in the map of ARCHITECTURE.md`),
    files
      .filter(({ name }) => name.startsWith("test/") && !tests.some((place) => isIn(name, place)))
      .map(({ name }) => `${name}: name it under "Tests of the rooms" in ARCHITECTURE.md`),
    files
      .filter(({ name }) => name.startsWith("src/") && !besideIt.some((place) => isIn(name, place)))
      .map(({ name }) => `${name}: say "beside it" in its room's row under "Tests of the rooms" in ARCHITECTURE.md`),
    [...new Set(files.map(({ name }) => name.replace(/^test\/|[^/]+$/g, "")))]
      .filter((folder) => !folder.startsWith("src/") && !roomsOfTests.has(folder))
      .map((folder) => `test/${folder}: name it under "Folders of test" in ARCHITECTURE.md`),
    rowsOf(testTable)
      .filter(([, , cell]) => cell?.trim() === "")
      .map(([, place]) => `${place}: name its tests in the map of ARCHITECTURE.md`),
    places
      .filter((place) => !tested.includes(place))
      .map((place) => `${place} has no row under "Tests of the rooms" in ARCHITECTURE.md`),
    rowsOf(roomTable)
      .filter(([row]) => row.length > 120)
      .map(([, place]) => `${place}: one line of 120 columns in the map of ARCHITECTURE.md`),
    [...Map.groupBy(files, ({ name }) => path.basename(name)).values()]
      .filter((alike) => alike.length > 1)
      .map((alike) => `${alike.map(({ name }) => name).join(", ")}: name each by what it promises`),
  ];
  assert.deepEqual(complaints.flat(), []);
});

const MOST_TERMS = 40;

test(`the glossary of ARCHITECTURE.md has at most ${MOST_TERMS} terms, in alphabetical order`, () => {
  const [, glossary = ""] = /^## Words\n([^]*?)^## /m.exec(read("ARCHITECTURE.md")) ?? [];
  const terms = [...glossary.matchAll(/^\| ([a-z][a-z ]*) \|/gm)].map(([, term = ""]) => term).slice(1);
  assert.ok(
    terms.length > 0 && terms.length <= MOST_TERMS,
    `${terms.length} terms: remove those that every engineer knows`,
  );
  assert.deepEqual(terms, terms.toSorted());
});
