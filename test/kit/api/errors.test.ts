import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { apiInfo } from "../../../src/doors/api-info.ts";
import { routes } from "../../../src/doors/routes.ts";
import { errors } from "../../../src/kit/errors.ts";
import { openapiDocument } from "../../../src/kit/openapi/document.ts";
import { errorsOfRequest } from "../../../src/kit/openapi/request-errors.ts";

/** `### name`, prose, `Status 401, \`Header: value\``, and the body. */
const ENTRY = /^### (\w+)\n[^#]*?^Status (\d{3})([^#]*?)\n\n```json\n([^`]+)```/gm;

const page = fs.readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
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

/** The examples that the routes' references give of each error, and of those that come before any route. */
const examples = Map.groupBy(
  [
    { name: "routeUnknown", example: errors.routeUnknown("api/v1/foo") },
    ...routes.flatMap(({ reference }) => reference.errors),
    ...routes.flatMap((route) => errorsOfRequest(route)),
  ],
  ({ name }) => name,
);

test("the word of an error is the name of its row in snake_case", () => {
  assert.equal(errors.taxIdTaken({ id: 1, name: "A", tax_id: null }).code, "tax_id_taken");
  for (const [name, given] of examples) {
    const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
    for (const { example } of given) assert.equal(example.code, words.join("_"));
  }
});

test("every error of the table is one that some route's reference names", () => {
  assert.deepEqual([...examples.keys()].toSorted(), Object.keys(errors).toSorted());
});

test("the word of every error stands in the OpenAPI document", () => {
  const document = JSON.stringify(openapiDocument(apiInfo, routes, null));
  const words = [...examples.values()].map(([first]) => String(first?.example.code));
  assert.deepEqual(
    words.filter((word) => !document.includes(word)),
    [],
  );
});

for (const [name, given] of examples) {
  test(`docs/errors.md has the status, the headers and the body of ${name}`, () => {
    const expected = given.map(({ example: { status, headers, json, code } }) => ({
      status,
      headers: { "x-error-code": code, ...headers },
      body: JSON.parse(json),
    }));
    const shown = expected.find((example) => isDeepStrictEqual(example, entries.get(name)));
    assert.deepEqual(entries.get(name), shown ?? expected[0]);
  });
}

function headersIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/`([\w-]+): ([^`]+)`/g)].map(([, name = "", value = ""]) => [
    name.toLowerCase(),
    value,
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
