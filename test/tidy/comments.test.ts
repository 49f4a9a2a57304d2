import assert from "node:assert/strict";
import { test } from "node:test";
import { production } from "./checkout.ts";

test("a comment begins with its subject", () => {
  const impersonal =
    /(?:\/\*\*|^ *\*|\/\/) (?:What|Whatever|Who|Whoever|Whose|So many|So much|How (?:many|much|long)) /m;
  const complaints = production.flatMap(({ name, text }) => {
    const comment = impersonal.exec(text)?.[0];
    return comment === undefined ? [] : [`${name}: say what it is, instead of "${comment.trim()} ..."`];
  });
  assert.deepEqual(complaints, []);
});
