import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { GENERATED, generatedTypes } from "./generate-types.ts";

test("the types of the TypeScript client are those of the OpenAPI document", () => {
  assert.ok(fs.readFileSync(GENERATED, "utf8") === generatedTypes(), "write them anew: npm run client-types");
});
