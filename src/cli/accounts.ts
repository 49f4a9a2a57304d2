import type { OpenDeps } from "../kit/deps.ts";
import { factorOffMail } from "../people/users/factor-off-mail.ts";
import { generatePassword, passwordComplaint, type PasswordOwner } from "../people/users/password.ts";
import { resetFactor } from "../people/users/second-factor-queries.ts";
import { findByEmail, setPassword } from "../people/users/sign-in-queries.ts";
import { fieldSentence } from "../platform/fields/field-reasons.ts";
import type { Database } from "../platform/postgres/database.ts";
import { INSTALLATION, type TenantId } from "../platform/postgres/tenant-id.ts";
import { Refusal } from "../platform/refusal.ts";
import { trim } from "../platform/text.ts";
import type { Invocation, Output } from "./run-command.ts";
import { readInputLine } from "./standard-input.ts";

/** The end of the description of a command that reads a password. */
export const ABOUT_PASSWORD =
  "The password is read from standard input, unless that is a terminal (12 characters or more, not a common one, " +
  "within 5 seconds). Without input, one is generated and shown only once.";

type NewPassword = { password: string; isGenerated: boolean };

/** The password on standard input, checked, or a generated one without input. Throws Refusal for a bad one. */
export async function readPassword(owner: PasswordOwner): Promise<NewPassword> {
  const sent = await readInputLine();
  const complaint = sent === null ? null : passwordComplaint(sent, owner);
  if (complaint !== null) throw new Refusal(fieldSentence("password", complaint));
  return { password: sent ?? generatePassword(), isGenerated: sent === null };
}

/** The output of a command that stored a password: it contains a generated one, which nobody else knows. */
export function answerWith({ password, isGenerated }: NewPassword, json: object, text: string): Output {
  return isGenerated
    ? { json: { ...json, password }, text: `${text}\nPassword, shown only now: ${password}` }
    : { json, text };
}

/** The workspace of an account: a tenant, or the installation's own, without a slug. */
type Workspace = { id: TenantId; slug: string | null };

export const OPERATORS: Workspace = { id: INSTALLATION, slug: null };

/** The account that `--email` names. Throws Refusal. */
export async function accountNamed(database: Database, { id, slug }: Workspace, options: Invocation["options"]) {
  const email = trim(String(options.email));
  const account = await findByEmail(id, database, email);
  if (account !== null) return { id: account.id, email };
  const named = slug === null ? "There is no operator" : `The tenant "${slug}" has no user`;
  throw new Refusal(`${named} with the e-mail address ${email}.`);
}

/** `set-password`. */
export async function setAccountPassword(
  { database, passwords }: OpenDeps,
  workspace: Workspace,
  options: Invocation["options"],
): Promise<Output> {
  const { id, email } = await accountNamed(database, workspace, options);
  const newPassword = await readPassword({ email, workspace: workspace.slug });
  await setPassword(workspace.id, database, id, await passwords.hash(newPassword.password));
  const who = whoIn(workspace);
  const text = `The ${who} ${email} has another password, and the ${who}'s sessions have ended.`;
  return answerWith(newPassword, { id: Number(id), email }, text);
}

/** `reset-second-factor`. Operators get no mail. */
export async function resetSecondFactor(
  deps: OpenDeps,
  workspace: Workspace,
  options: Invocation["options"],
): Promise<Output> {
  const { id, email } = await accountNamed(deps.database, workspace, options);
  const mails = workspace.slug === null ? [] : factorOffMail(deps, workspace.id, id, "command");
  const reset = await resetFactor(workspace.id, deps.database, id, "command", mails);
  if (reset === "was-off") throw new Refusal(`The ${whoIn(workspace)} ${email} has no second factor.`);
  if (reset === "break-glass") {
    throw new Refusal(
      `Without a second factor, nobody could sign in to "${workspace.slug}" by a password: ${email} alone may. ` +
        `Run \`liaison tenant allow-passwords ${workspace.slug}\` first.`,
    );
  }
  return {
    json: { id: Number(id), second_factor: false },
    text: `The second factor of ${email} is off, and the ${whoIn(workspace)}'s sessions have ended.`,
  };
}

function whoIn({ slug }: Workspace): string {
  return slug === null ? "operator" : "user";
}
