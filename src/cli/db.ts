import type { Command } from "commander";
import { distribute } from "../platform/postgres/distribution/distribution.ts";
import { namedTexts } from "../platform/postgres/query.ts";
import { formattedSql } from "../platform/reads/formatted-sql.ts";
import { Refusal } from "../platform/refusal.ts";
import { runs, runsAlone } from "./run-command.ts";

export function registerDb(program: Command): void {
  const db = program.command("db").description("Work on the database as a whole.");
  registerDistribute(db);
  registerStatements(db);
}

/** `db statements [NAME]`: the statements that are compiled from descriptions of lists. */
function registerStatements(db: Command): void {
  const command = db
    .command("statements [name]")
    .description("Print the SQL that reads lists, with the names of its parameters; $1 is the tenant.");
  runsAlone(command, async (_config, _logger, { operands: [name] }) => {
    // Their rooms make the statements when they are loaded.
    await Promise.all([import("../doors/routes.ts"), import("../doors/pages.ts")]);
    const all = [...namedTexts()].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const asked = name === undefined ? all : all.filter(([each]) => each === name);
    if (asked.length === 0)
      throw new Refusal(`There is no statement "${name}": leave the name out to see all of them.`);
    const texts = asked.map(([each, text]): [string, string] => [each, formattedSql(text)]);
    return {
      json: { statements: texts.map(([each, sql]) => ({ name: each, sql })) },
      text: texts.map(([each, sql]) => `-- ${each}\n${sql};`).join("\n\n"),
    };
  });
}

/** `db distribute` (docs/citus.md): spreads the tenants over the nodes of a Citus cluster. */
function registerDistribute(db: Command): void {
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
