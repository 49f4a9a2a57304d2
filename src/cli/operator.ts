import type { Command } from "commander";
import { deleteOperator, insertOperator, listOperators } from "../people/operators/operator-queries.ts";
import { resetFactor } from "../people/users/second-factor-queries.ts";
import { findByEmail, setPassword } from "../people/users/sign-in-queries.ts";
import { EMAIL_MAX } from "../people/users/user.ts";
import type { FieldTable } from "../platform/fields/fields.ts";
import type { Database } from "../platform/postgres/database.ts";
import { INSTALLATION } from "../platform/postgres/tenant-id.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import { checkedValues } from "./arguments.ts";
import { ABOUT_PASSWORD, answerWith, readPassword } from "./password.ts";
import { runs, type Invocation, type Work } from "./run-command.ts";
import { table } from "./table.ts";

/** The fields of a new operator, beside the password. */
const operatorFields: FieldTable = [
  { name: "email", kind: "email", max: EMAIL_MAX, required: true },
  { name: "name", kind: "string", max: 255, required: true },
];

/** `operator create`, `set-password`, `reset-second-factor`, `list` and `remove` (docs/operations.md 3.2). */
export function registerOperator(program: Command): void {
  const operator = program
    .command("operator")
    .description(
      "Create the operators of this installation, list and remove them, and reset a forgotten password or a lost second factor.",
    );
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
  runs(set, setOperatorPassword);
  const reset = operator
    .command("reset-second-factor")
    .description(
      "Switch off the second factor of an operator who has lost it. Ends all sessions of the operator; the password alone " +
        "signs in then.",
    )
    .requiredOption("--email <address>", "the operator's e-mail address");
  runs(reset, resetSecondFactor);
  runs(operator.command("list").description("List the operators, by their e-mail addresses."), list);
  const remove = operator
    .command("remove")
    .description("Remove an operator, and end all sessions of the operator at once.")
    .requiredOption("--email <address>", "the operator's e-mail address");
  runs(remove, removeOperator);
}

const createOperator: Work = async ({ database, passwords }, { options }) => {
  const { email, name } = checkedValues(operatorFields, options);
  const given = await readPassword({ email: String(email), workspace: null });
  const passwordHash = await passwords.hash(given.password);
  const created = await insertOperator(database, { email: String(email), name: String(name), passwordHash });
  if (created === null) throw new Refusal(`There is an operator with the e-mail address ${email} already.`);
  const operator = { ...created, id: Number(created.id) };
  return answerWith(given, operator, `Created the operator ${email} (id ${created.id}).`);
};

const setOperatorPassword: Work = async ({ database, passwords }, { options }) => {
  const { operator, email } = await operatorNamed(database, options);
  const given = await readPassword({ email, workspace: null });
  await setPassword(INSTALLATION, database, operator.id, await passwords.hash(given.password));
  const text = `The operator ${email} has another password, and the operator's sessions have ended.`;
  return answerWith(given, { id: Number(operator.id), email }, text);
};

const resetSecondFactor: Work = async ({ database }, { options }) => {
  const { operator, email } = await operatorNamed(database, options);
  if ((await resetFactor(INSTALLATION, database, operator.id, "command")) !== "off") {
    throw new Refusal(`The operator ${email} has no second factor.`);
  }
  return {
    json: { id: Number(operator.id), second_factor: false },
    text: `The second factor of ${email} is off, and the operator's sessions have ended.`,
  };
};

/** The operator that the options name. Throws Refusal. */
async function operatorNamed(database: Database, options: Invocation["options"]) {
  const email = trim(String(options.email));
  const operator = await findByEmail(INSTALLATION, database, email);
  if (operator === null) throw new Refusal(`There is no operator with the e-mail address ${email}.`);
  return { operator, email };
}

const list: Work = async ({ database }) => {
  const operators = await listOperators(database);
  const rows = operators.map(({ email, name }) => [email, name]);
  return {
    json: operators.map((operator) => ({ ...operator, id: Number(operator.id) })),
    text: operators.length === 0 ? "There is no operator yet." : table(["EMAIL", "NAME"], rows),
  };
};

const removeOperator: Work = async ({ database }, { options }) => {
  const { operator, email } = await operatorNamed(database, options);
  await deleteOperator(database, operator.id);
  return {
    json: { id: Number(operator.id), removed: true },
    text: `The operator ${email} is removed, and the operator's sessions have ended.`,
  };
};
