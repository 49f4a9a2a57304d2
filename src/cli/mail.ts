import type { Command } from "commander";
import { sendDigests } from "../desk/digest/daily-digest.ts";
import { Refusal } from "../platform/refusal.ts";
import { runsFor, type TenantWork } from "./arguments.ts";

/** `mail digest` (docs/operations.md 3.2). */
export function registerMail(program: Command): void {
  const mail = program.command("mail").description("Send mail by hand.");
  const digest = mail
    .command("digest")
    .description("Send the daily mail now to the users who chose it, and not again today. A worker sends it.");
  runsFor(digest, sendDigest);
}

const sendDigest: TenantWork = async (deps, tenant) => {
  if (deps.config.mail === null) throw new Refusal("Mail is not configured: LIAISON_MAIL_URL is unset.");
  const queued = await sendDigests(deps, tenant.id, true);
  return {
    json: { queued },
    text: `Daily mails queued: ${queued}. A user with nothing to do gets none.`,
  };
};
