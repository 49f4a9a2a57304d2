import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";

/** Migrates a database, by the migrations of a directory: a program of its own, which can be killed. */
const [connection = "", directory = ""] = process.argv.slice(2);
await migrate(JSON.parse(connection), { directory });
