import type { Command } from "commander";
import { distribute } from "../platform/postgres/distribution/distribution.ts";
import { runs } from "./run-command.ts";

/** `db distribute` (docs/citus.md): spreads the tenants over the nodes of a Citus cluster. */
export function registerDb(program: Command): void {
  const db = program.command("db").description("Work on the database as a whole.");
  const command = db
    .command("distribute")
    .description(
      "Spread the tenants over the nodes of a Citus cluster. Needs the extension citus; can be run again. " +
        "Requests fail while a table moves: run it on an empty database, or with the servers stopped. " +
        "Restart the servers afterwards.",
    );
  runs(
    command,
    async ({ connection }) => {
      const distributed = await distribute(connection);
      return {
        json: { distributed },
        text: distributed.length === 0 ? "Every table is distributed." : `Distributed ${distributed.join(", ")}.`,
      };
    },
    { makes: "schema" },
  );
}
