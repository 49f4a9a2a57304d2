import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { routes } from "../../../src/doors/routes.ts";
import { orderEventMeanings, orderEvents } from "../../../src/exchange/webhooks/order-events.ts";
import { eventMeanings, events } from "../../../src/kit/changes/change.ts";
import { errors } from "../../../src/kit/errors.ts";
import type { Reference } from "../../../src/kit/openapi/reference.ts";
import { errorsOfRequest } from "../../../src/kit/openapi/request-errors.ts";
import type { Field } from "../../../src/platform/fields/fields.ts";

/** The words that a new route, field, error or event needs in the reference. Each failure says where to write them. */

/** The resources of the routes, without repetition. */
const resources = new Set(routes.flatMap(({ reference }) => reference?.resource ?? []));

test("every route has words", () => {
  for (const { method, path, reference } of routes) {
    const words = reference as Partial<Reference> | undefined;
    const name = `${method} ${path}`;
    const where = "a `Reference` in the *-reference.ts of its room, which its line in src/doors/routes.ts names";
    const isComplete = [words?.summary, words?.description, words?.operationId].every(Boolean);
    assert.ok(isComplete, `${name} has no words: write ${where}`);
  }
});

test("every field and each field of its items has words", () => {
  const wordless = ({ name, description = "", items = [] }: Field): string[] => [
    ...(description === "" ? [name] : []),
    ...items.flatMap(wordless).map((item) => `${name}[].${item}`),
  ];
  for (const { model, fields } of resources) {
    assert.deepEqual(
      fields.flatMap(wordless),
      [],
      `${model}: say what these fields mean, in \`description\` of their lines in the field table`,
    );
  }
});

test("every read-only member has words, or a name that says all", () => {
  const known = new Set(["id"]);
  for (const { model, readOnly } of resources) {
    for (const [name, { schema }] of Object.entries(readOnly)) {
      const described = JSON.stringify(schema).includes('"description"');
      assert.ok(described || known.has(name), `${model}.${name}: say what it is, in \`description\` of its schema`);
    }
  }
});

test("every error has a section that says whether to retry, and a route that names it", () => {
  const page = fs.readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8");
  const named = new Set([
    "routeUnknown",
    ...routes.flatMap((route) =>
      [...(route.reference?.errors ?? []), ...errorsOfRequest(route)].map(({ name }) => name),
    ),
  ]);
  for (const name of Object.keys(errors)) {
    const [, section = ""] = new RegExp(`^### ${name}\\n([^]*?)(?=^#|$(?![^]))`, "m").exec(page) ?? [];
    assert.ok(
      /^Retry: (?:yes|no)[,.]/m.test(section) && /^Status \d{3}/m.test(section),
      `${name}: write its section in docs/errors.md: "### ${name}", the cause, "Retry: yes" or "Retry: no", its status and its body`,
    );
    assert.ok(named.has(name), `${name}: name it in \`errors\` of each route that answers it (*-reference.ts)`);
  }
});

test("every event has words", () => {
  const meanings: Readonly<Record<string, string | undefined>> = { ...eventMeanings, ...orderEventMeanings };
  const changes = Object.entries(events).flatMap(([type, actions]) => actions.map((action) => `${type}.${action}`));
  for (const name of [...changes, ...orderEvents]) {
    const where =
      "in `eventMeanings` of src/kit/changes/change.ts, or `orderEventMeanings` of src/exchange/webhooks/order-events.ts";
    assert.ok((meanings[name] ?? "") !== "", `${name}: say when it happens, ${where}`);
  }
});
