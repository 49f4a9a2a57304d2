import type { Command } from "commander";
import { insertOperator } from "../operators/operator-queries.ts";
import { operatorFields } from "../operators/operator.ts";
import { Refusal } from "../platform/refusal.ts";
import { hashPassword } from "../users/password-hash.ts";
import { checkedValues } from "./arguments.ts";
import { readPassword } from "./password.ts";
import { runs, type Work } from "./run-command.ts";

/** `operator create` (docs/operations.md 3.2). */
export function registerOperator(program: Command): void {
  const operator = program.command("operator").description("Create the operators of this installation.");
  const create = operator
    .command("create")
    .description(
      "Create an operator, who belongs to no tenant. The password is read from standard input where it is not a terminal " +
        "(12 characters or more, none of the commonest, within 5 seconds); where nothing comes one is generated and shown, this once.",
    )
    .requiredOption("--email <address>", "the operator's e-mail address")
    .requiredOption("--name <name>", "the operator's name");
  runs(create, createOperator);
}

const createOperator: Work = async ({ database }, { options }) => {
  const { email, name } = checkedValues(operatorFields, options);
  const { password, isGenerated } = await readPassword({ email: String(email), workspace: null });
  const passwordHash = await hashPassword(password);
  const created = await insertOperator(database, { email: String(email), name: String(name), passwordHash });
  if (created === null) throw new Refusal(`There is an operator with the e-mail address ${email} already.`);
  const operator = { ...created, id: Number(created.id) };
  const text = `Created the operator ${email} (id ${created.id}).`;
  return isGenerated
    ? { json: { ...operator, password }, text: `${text}\nPassword, shown only now: ${password}` }
    : { json: operator, text };
};
