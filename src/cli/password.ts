import { Refusal } from "../platform/refusal.ts";
import { generatePassword, passwordComplaint, type PasswordOwner } from "../users/password.ts";
import { readInputLine } from "./standard-input.ts";

/** The password on standard input, checked, or a generated one where nothing comes. Throws Refusal for a bad one. */
export async function readPassword(owner: PasswordOwner): Promise<{ password: string; isGenerated: boolean }> {
  const sent = await readInputLine();
  const complaint = sent === null ? null : passwordComplaint(sent, owner);
  if (complaint !== null) throw new Refusal(complaint);
  return { password: sent ?? generatePassword(), isGenerated: sent === null };
}
