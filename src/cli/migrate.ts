import type { Command } from "commander";
import { runs, type Work } from "./run-command.ts";

/** `migrate`: opening the database brings it up to date; the command names the migrations that this applied. */
export function registerMigrate(program: Command): void {
  const command = program
    .command("migrate")
    .description(
      "Bring the database up to date; make the schema of an empty one of DATABASE_URL. The server's start, and every other " +
        "command but doctor and backup verify, brings it up to date too.",
    );
  runs(command, migrated, { makes: "schema" });
}

const migrated: Work = async ({ applied }) => ({
  json: { applied },
  text: applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`,
});
