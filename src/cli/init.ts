import type { Command } from "commander";
import { databasePlace } from "../kit/deps.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import { readClusterState, readIdentity } from "../platform/postgres/database-identity.ts";
import { migrationNames } from "../platform/postgres/migrations/migration-files.ts";
import { runs, type Work } from "./run-command.ts";

/** `init` (docs/operations.md 3.2): creates a database, as only `serve` and `restore` do too. */
export function registerInit(program: Command): void {
  const command = program
    .command("init")
    .description(
      "Make an empty installation: the embedded database or the schema in that of DATABASE_URL, and the encryption key. An existing installation is left unchanged.",
    );
  runs(command, initialized, { makes: "database" });
}

const initialized: Work = async (deps) => {
  const isNew = deps.applied[0] === migrationNames()[0];
  // Otherwise a copy of it from before the first start of a server would not be noticed.
  if (isNew) await asOwner(deps.connection, async (client) => readIdentity(client, await readClusterState(client)));
  const place = databasePlace(deps);
  const text = isNew
    ? `Made an empty installation in ${place}. Next: liaison tenant create, and serve --no-demo.`
    : `There is an installation in ${place} already.`;
  return { json: { made: isNew, database: place }, text };
};
