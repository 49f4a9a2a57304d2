import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { errorExamples } from "../../src/docs/error-answers.ts";
import { errors } from "../../src/errors.ts";

/** `### name`, prose, `Status 401, \`Header: value\``, and the body. */
const ENTRY = /^### (\w+)\n[^#]*?^Status (\d{3})(.*)\n\n```json\n([^`]+)```/gm;

const page = fs.readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
const entries = new Map(
  [...page.matchAll(ENTRY)].map(([, name = "", status, headers = "", json = ""]) => [
    name,
    { status: Number(status), headers: headersIn(headers), body: JSON.parse(json) as unknown },
  ]),
);

test("docs/errors.md explains every error of the table, and no other", () => {
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);
  assert.deepEqual(headings.toSorted(), Object.keys(errors).toSorted());
  assert.deepEqual([...entries.keys()], headings, "each has a status and a body");
});

for (const [name, { status, headers, json }] of Object.entries(errorExamples)) {
  test(`docs/errors.md has the status, the headers and the body of ${name}`, () => {
    assert.deepEqual(entries.get(name), { status, headers, body: JSON.parse(json) });
  });
}

function headersIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/`([\w-]+): ([^`]+)`/g)].map(([, name = "", value = ""]) => [
    name.toLowerCase(),
    value,
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
