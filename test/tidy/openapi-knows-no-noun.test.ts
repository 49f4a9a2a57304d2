import assert from "node:assert/strict";
import { test } from "node:test";
import { production, roomOf } from "./checkout.ts";

test("src/kit/openapi/ assembles what the routes bring, and knows no noun", () => {
  const noun = /[Cc]ompan(?:y|ies)|[Cc]ontact|[Ii]nvoice|[Ww]ms|WMS|\bAddress\b|\w:(?:read|write)\b/;
  const complaints = production
    .filter(({ name }) => roomOf(name) === "kit/openapi")
    .flatMap(({ name, text }) => {
      const [word] = noun.exec(text) ?? [];
      return word === undefined ? [] : [`${name} says ${word}: that belongs into the noun's *-reference.ts`];
    });
  assert.deepEqual(complaints, []);
});
