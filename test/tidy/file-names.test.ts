import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { lines, written } from "./checkout.ts";

test("files are short, kebab-case and in rooms that say what they hold", () => {
  const vague = /(?:^|[/-])(?:utils?|helpers?|common|services?|core|lib|misc|shared|managers?)(?:\/|\.|-|$)/;
  const long = written.filter(
    ({ name, text }) => lines(text) > 320 && !/(?:-data|\.test|\.slow|\.generated)\.ts$/.test(name),
  );
  const odd = written.filter(({ name }) => !/^[a-z0-9.-]+$/.test(path.basename(name)));
  const complaints = [
    long.map(({ name, text }) => `${name} has ${lines(text)} lines: 300 are long, split it`),
    odd.map(({ name }) => `${name}: kebab-case`),
    written.filter(({ name }) => vague.test(name)).map(({ name }) => `${name}: name it after what it holds`),
  ];
  assert.deepEqual(complaints.flat(), []);
});
