import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { written } from "../../kit/mail/letter.ts";
import type { MailDetails } from "../../kit/mail/mail-kind.ts";
import { letterOf } from "../../kit/mail/mail-words.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import type { MailCompletions, MailEnd, MailReports } from "../../kit/mail/send-mail.ts";
import type { Language } from "../../kit/web/language.ts";
import { dayAfter } from "../../platform/dates.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { isId } from "../../platform/ids.ts";
import { runAll } from "../../platform/postgres/query.ts";
import { oneValue } from "../../platform/postgres/statement.ts";
import { letterRows, type Address } from "./letters.ts";
import {
  readCandidate,
  findingCandidates,
  claimReminder,
  insertReminder,
  leaveOut,
  insertReminded,
  lockToRemind,
  reminderEnd,
  invoicesOfCompany,
  loggingAsEmail,
  type RemindableInvoice,
} from "./reminder-queries.ts";
import type { Level, ReminderText } from "./reminder-texts.ts";

/** A letter as a person has decided to send it. */
export type DecidedLetter = ReminderText & {
  companyId: string;
  /** Null: it is printed or copied. */
  to: Address | null;
  language: Language;
  /** That of the text, whichever invoices are listed. */
  level: Level;
  /** The invoices that the person saw. */
  invoices: ReadonlySet<string>;
  /** The newest reminder that the person saw: an invoice with a later one is left out. */
  through: number;
};

/** `reminded`: the letter is on its way, or written down. `nothing`: all was paid or reminded of meanwhile. */
export type Reminded = "reminded" | "nothing" | "missing";

/** Stores a reminder of a company, with the mail that sends it or, without an address, as done by hand. */
export async function remind(
  deps: Pick<Deps, "database" | "config" | "keyring">,
  actor: Actor,
  person: { name: string; email: string; workspace: { name: string; slug: string; timeZone: string } },
  letter: DecidedLetter,
): Promise<Reminded> {
  const { companyId, to, level, invoices, through, subject, opening, closing, language } = letter;
  const today = dayAfter(0, person.workspace.timeZone);
  const details = { subject, opening, closing, language, replyTo: { name: person.name, address: person.email } };
  return await deps.database.transaction(actor.tenant, async (run) => {
    if (!(await lockToRemind(run, companyId))) return "missing";
    const candidates = (await run(findingCandidates([companyId], today))).map(readCandidate);
    const listed = candidates.filter(({ id, last }) => invoices.has(id) && last <= through);
    if (listed.length === 0) return "nothing";
    const mails = to === null ? [] : mailing(deps, actor.tenant, { email: to.email }, { kind: "reminder", details });
    const mailId = oneValue((await runAll(run, mails)).at(-1));
    const by = changedBy(actor);
    const id = String(await insertReminder(run, { companyId, contactId: to?.contactId ?? null, mailId, level, by }));
    // Invoices that were paid, cancelled or corrected since the person saw them are listed with the reason.
    const open = new Set(candidates.map((of) => of.id));
    const seen = await invoicesOfCompany(
      run,
      companyId,
      [...invoices].filter((of) => isId(of) && !open.has(of)),
    );
    await insertReminded(run, id, [...listed.map((of) => of.id), ...seen]);
    if (seen.length > 0) await leaveOut(run, id, today);
    if (mailId === null)
      await runAll(run, loggingAsEmail({ id, mailId }, textOfLetter(details, listed, person.workspace)));
    return "reminded";
  });
}

/** A letter as text: what the mail says. */
export function textOfLetter(
  details: MailDetails["reminder"],
  invoices: readonly RemindableInvoice[],
  workspace: { name: string; slug: string; timeZone: string },
): string {
  const rows = letterRows(invoices, details.language);
  const { subject, text } = written(
    letterOf({ kind: "reminder", details: { ...details, rows } }, workspace, details.language),
    "",
    details.language,
  );
  return `${subject}\n\n${text}`;
}

/** A reminder is claimed, and its invoices are read, when its mail is sent. */
export const reminderMails = {
  async reminder({ database }, { tenant, id, details, timeZone }) {
    const listed = await claimReminder(tenant, database, id, dayAfter(0, timeZone));
    return listed === null ? null : { ...details, rows: letterRows(listed, details.language) };
  },
} satisfies MailCompletions;

const STATES = { again: "waiting", "given-up": "failed", late: "late", unsure: "unsure" } as const satisfies Record<
  Exclude<MailEnd, "sent">,
  string
>;

/** How the mail of a reminder ended. One that was sent is an e-mail to the company. */
export const reminderReports = {
  reminder: (end, mailId, text) =>
    end === "sent"
      ? [reminderEnd(mailId, "sent"), ...loggingAsEmail({ id: null, mailId }, text ?? "")]
      : [reminderEnd(mailId, STATES[end])],
} satisfies MailReports;
