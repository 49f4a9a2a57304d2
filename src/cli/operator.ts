import type { Command } from "commander";
import { deleteOperator, insertOperator, listOperators } from "../people/operators/operator-queries.ts";
import { userFields } from "../people/users/user.ts";
import { Refusal } from "../platform/refusal.ts";
import {
  ABOUT_PASSWORD,
  accountNamed,
  answerWith,
  setAccountPassword,
  OPERATORS,
  readPassword,
  resetSecondFactor,
} from "./accounts.ts";
import { checkedValues } from "./arguments.ts";
import { runs, type Work } from "./run-command.ts";
import { table } from "./table.ts";

/** The fields of a new operator, beside the password. */
const operatorFields = userFields.filter(({ name }) => name !== "role");

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
  runs(set, async (deps, { options }) => await setAccountPassword(deps, OPERATORS, options));
  const reset = operator
    .command("reset-second-factor")
    .description(
      "Switch off the second factor of an operator who has lost it. Ends all sessions of the operator; the password alone " +
        "signs in then.",
    )
    .requiredOption("--email <address>", "the operator's e-mail address");
  runs(reset, async (deps, { options }) => await resetSecondFactor(deps, OPERATORS, options));
  runs(operator.command("list").description("List the operators, by their e-mail addresses."), list);
  const remove = operator
    .command("remove")
    .description("Remove an operator, and end all sessions of the operator at once.")
    .requiredOption("--email <address>", "the operator's e-mail address");
  runs(remove, removeOperator);
}

const createOperator: Work = async ({ database, passwords }, { options }) => {
  const { email, name } = checkedValues(operatorFields, options);
  const newPassword = await readPassword({ email: String(email), workspace: null });
  const passwordHash = await passwords.hash(newPassword.password);
  const created = await insertOperator(database, { email: String(email), name: String(name), passwordHash });
  if (created === null) throw new Refusal(`There is an operator with the e-mail address ${email} already.`);
  const operator = { ...created, id: Number(created.id) };
  return answerWith(newPassword, operator, `Created the operator ${email} (id ${created.id}).`);
};

const list: Work = async ({ database }) => {
  const operators = await listOperators(database);
  const rows = operators.map(({ email, name }) => [email, name]);
  return {
    json: operators.map((operator) => ({ ...operator, id: Number(operator.id) })),
    text: operators.length === 0 ? "There is no operator yet." : table(["EMAIL", "NAME"], rows),
  };
};

const removeOperator: Work = async ({ database }, { options }) => {
  const { id, email } = await accountNamed(database, OPERATORS, options);
  await deleteOperator(database, id);
  return {
    json: { id: Number(id), removed: true },
    text: `The operator ${email} is removed, and the operator's sessions have ended.`,
  };
};
