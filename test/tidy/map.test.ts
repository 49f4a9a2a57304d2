import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, production, read, roomOf, written } from "./checkout.ts";

test("the map of ARCHITECTURE.md has every room and every test", () => {
  const [, map = ""] = /^## The map\n([^]*?)^## /m.exec(read("ARCHITECTURE.md")) ?? [];
  const rows = [...map.matchAll(/^\| (`.*?) \|.*\|(.*)\|$/gm)];
  const namedIn = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const places = rows.flatMap(([, place]) => namedIn(place));
  const tests = rows.flatMap(([, , cell]) => namedIn(cell));
  const besideIt = rows.flatMap(([, place, cell]) => (cell?.includes("beside it") === true ? namedIn(place) : []));
  const [testRow = ""] = rows.find(([, place]) => place === "`test/`") ?? [];
  const roomsOfTests = new Set(["", ...namedIn(testRow)]);
  const files = written.filter(({ name }) => /\.(?:test|citus)\.ts$/.test(name));
  const isIn = (name: string, place: string) =>
    name.startsWith(place) || path.matchesGlob(name, place) || path.matchesGlob(name, `${place}/**`);
  const complaints = [
    [...places, ...tests]
      .filter((place) => fs.globSync(place, { cwd: ROOT }).length === 0)
      .map((place) => `${place} is in the map of ARCHITECTURE.md, and not there`),
    [...new Set(production.map(({ name }) => roomOf(name)))]
      .filter((room) => !places.includes(room.endsWith(".ts") ? `src/${room}` : `src/${room}/`))
      .map((room) => `src/${room} has no row in the map of ARCHITECTURE.md`),
    files
      .filter(({ name }) => name.startsWith("test/") && !tests.some((place) => isIn(name, place)))
      .map(({ name }) => `${name}: name it in the map of ARCHITECTURE.md beside what it tests`),
    files
      .filter(({ name }) => name.startsWith("src/") && !besideIt.some((place) => isIn(name, place)))
      .map(({ name }) => `${name}: say "beside it" in the row of its room in the map of ARCHITECTURE.md`),
    [...new Set(files.map(({ name }) => name.replace(/^test\/|[^/]+$/g, "")))]
      .filter((folder) => !folder.startsWith("src/") && !roomsOfTests.has(folder))
      .map((folder) => `test/${folder}: name it in the row of test/ in the map of ARCHITECTURE.md`),
    rows
      .filter(([, , cell]) => cell?.trim() === "")
      .map(([, place]) => `${place}: name what tests it in the map of ARCHITECTURE.md`),
    [...Map.groupBy(files, ({ name }) => path.basename(name)).values()]
      .filter((alike) => alike.length > 1)
      .map((alike) => `${alike.map(({ name }) => name).join(", ")}: name each by what it promises`),
  ];
  assert.deepEqual(complaints.flat(), []);
});
