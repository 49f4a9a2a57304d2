import type { Config } from "../config.ts";
import { readMailStanding } from "../mail/mail-queries.ts";
import { isoOrNull } from "../platform/dates.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Examination } from "./check.ts";

/** Mail that the server does not accept, or that nothing sends. */
export const checkMail: Examination = async ({ config, database, areCallsHeld }) => {
  const { waiting, failing, givenUp } = await readMailStanding(database);
  const unsent = config.mail === null ? waiting : failing;
  const why =
    config.mail === null
      ? "LIAISON_MAIL_URL is unset: set it again, or ignore this. They are given up after a day."
      : "the mail server did not accept them: read the log of the worker for the reason. They are given up after a day.";
  return [
    ...(unsent === 0 || areCallsHeld ? [] : [`${unsent} mails wait, and ${why}`]),
    ...(givenUp === 0
      ? []
      : [`${givenUp} mails were given up in the last day: the log of the worker has the reasons.`]),
  ];
};

/** `lastAcceptedAt`: ISO; null if no mail was accepted in the last 30 days. */
export type MailState = { isConfigured: boolean; lastAcceptedAt: string | null };

export async function readMailState({ mail }: Config, database: Database): Promise<MailState> {
  const { lastAcceptedAt } = await readMailStanding(database);
  return { isConfigured: mail !== null, lastAcceptedAt: isoOrNull(lastAcceptedAt) };
}

/** A line for an operator. It never has the setting's value. */
export function wordsOfMail({ isConfigured, lastAcceptedAt }: MailState): string {
  if (!isConfigured) return "Mail is not configured: LIAISON_MAIL_URL is unset.";
  const accepted =
    lastAcceptedAt === null
      ? "none was accepted in the last 30 days"
      : `the last one was accepted at ${lastAcceptedAt}`;
  return `Mail is configured; ${accepted}.`;
}
