import fs from "node:fs";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { globalSetup, globalTeardown } from "../global-setup.ts";
import { SCHEMA, schemaText } from "./schema-text.ts";

// `npm run schema`: writes migrations/schema.sql from a new database.
await globalSetup();
try {
  const connection = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "") as Connection;
  fs.writeFileSync(SCHEMA, await schemaText(connection));
} finally {
  await globalTeardown();
}
