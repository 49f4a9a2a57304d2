import { generatePassword, passwordComplaint, type PasswordOwner } from "../people/users/password.ts";
import { fieldSentence } from "../platform/fields/field-reasons.ts";
import { Refusal } from "../platform/refusal.ts";
import type { Output } from "./run-command.ts";
import { readInputLine } from "./standard-input.ts";

/** The end of the description of a command that reads a password. */
export const ABOUT_PASSWORD =
  "The password is read from standard input, unless that is a terminal (12 characters or more, not a common one, " +
  "within 5 seconds). Without input, one is generated and shown only once.";

type Given = { password: string; isGenerated: boolean };

/** The password on standard input, checked, or a generated one without input. Throws Refusal for a bad one. */
export async function readPassword(owner: PasswordOwner): Promise<Given> {
  const sent = await readInputLine();
  const complaint = sent === null ? null : passwordComplaint(sent, owner);
  if (complaint !== null) throw new Refusal(fieldSentence("password", complaint));
  return { password: sent ?? generatePassword(), isGenerated: sent === null };
}

/** The output of a command that stored a password: it contains a generated one, which nobody else knows. */
export function answerWith({ password, isGenerated }: Given, json: object, text: string): Output {
  return isGenerated
    ? { json: { ...json, password }, text: `${text}\nPassword, shown only now: ${password}` }
    : { json, text };
}
