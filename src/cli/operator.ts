import type { Command } from "commander";
import { findOperatorByEmail, insertOperator, setOperatorPassword } from "../operators/operator-queries.ts";
import { operatorFields } from "../operators/operator.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import { hashPassword } from "../users/password-hash.ts";
import { checkedValues } from "./arguments.ts";
import { ABOUT_PASSWORD, readPassword } from "./password.ts";
import { runs, type Work } from "./run-command.ts";

/** `operator create`, `operator set-password` (docs/operations.md 3.2). */
export function registerOperator(program: Command): void {
  const operator = program
    .command("operator")
    .description("Create the operators of this installation, and let those in who forgot their password.");
  const create = operator
    .command("create")
    .description(`Create an operator, who belongs to no tenant. ${ABOUT_PASSWORD}`)
    .requiredOption("--email <address>", "the operator's e-mail address")
    .requiredOption("--name <name>", "the operator's name");
  runs(create, createOperator);
  const set = operator
    .command("set-password")
    .description(`Give an operator another password, and end all sessions of the operator. ${ABOUT_PASSWORD}`)
    .requiredOption("--email <address>", "the operator's e-mail address");
  runs(set, setPassword);
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

const setPassword: Work = async ({ database }, { options }) => {
  const email = trim(String(options.email));
  const operator = await findOperatorByEmail(database, email);
  if (operator === null) throw new Refusal(`There is no operator with the e-mail address ${email}.`);
  const { password, isGenerated } = await readPassword({ email, workspace: null });
  await setOperatorPassword(database, operator.id, await hashPassword(password));
  const json = { id: Number(operator.id), email };
  const text = `The operator ${email} has another password, and the operator's sessions have ended.`;
  return isGenerated
    ? { json: { ...json, password }, text: `${text}\nPassword, shown only now: ${password}` }
    : { json, text };
};
