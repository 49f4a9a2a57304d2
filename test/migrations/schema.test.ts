import assert from "node:assert/strict";
import { test } from "node:test";
import { createDatabase } from "../harness.ts";
import { readSchema, schemaText } from "./schema-text.ts";

test("migrations/schema.sql shows the schema of a new database", async () => {
  assert.equal(readSchema(), await schemaText(await createDatabase()), "run npm run schema");
});
