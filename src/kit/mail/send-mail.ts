import { createHash } from "node:crypto";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Deps } from "../deps.ts";
import type { Job, JobKind, Outcome } from "../jobs/job.ts";
import type { Language } from "../web/language.ts";
import { written } from "./letter.ts";
import type { Mail, MailDetails, MailKind } from "./mail-kind.ts";
import { addressToUser, DETAILS, findWaitingMail, mailEnds, reserveMail, type WaitingMail } from "./mail-queries.ts";
import { mailTallies } from "./mail-tallies.ts";
import { languageOfCountry, letterOf } from "./mail-words.ts";

/** The name is written by migrations/functions/enqueue_mails.sql too. */
export const SEND_MAIL_JOB = "send-mail";
/** The connections to the mail server at once, over all tenants and workers. */
const AT_ONCE = 4;

/** The pause after the first failure; it doubles. A mail is given up after a day. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** A mail that waits for its turn tries again after at least this time, and not at the same moment as the others. */
const SHORTEST_WAIT_MS = 10_000;
const SPREAD_MS = 60_000;

/** A mail that is about to be sent, as the rooms that know its subject see it. */
export type MailAtHand<Kind extends MailKind> = {
  tenant: TenantId;
  id: string;
  details: MailDetails[Kind];
  /** The recipient, if it is a user. */
  userId: string | null;
  hasDigest: boolean;
  language: Language;
  /** The name and the country of the workspace. */
  workspace: string;
  country: string;
  timeZone: string;
};

/** A mail is not sent, for a reason that admins see. */
type NotSent = { notSent: string };

/**
 * For kinds whose mail is completed or checked when it is sent: returns its details; null if nobody is to get it any
 * more.
 */
export type MailCompletions = {
  [Kind in MailKind]?: (deps: Deps, mail: MailAtHand<Kind>) => Promise<MailDetails[Kind] | NotSent | null>;
};

/** For kinds whose mail is written down once the server has it: the calls that do it. */
export type MailNotes = { [Kind in MailKind]?: (details: MailDetails[Kind], text: string) => Call[] };

/**
 * How an attempt ended. `again`: the server certainly has not accepted the mail, which is tried later. `unsure`: the
 * server may have accepted it. `late`: it was not tried within its day.
 */
export type MailEnd = "sent" | "again" | "given-up" | "late" | "unsure";

/**
 * For kinds that are never sent twice: the calls that record how an attempt ended, with the end of the mail. Their
 * completion claims the mail, and drops a mail whose claim was never recorded as ended. @param text null: not sent
 */
export type MailReports = { [Kind in MailKind]?: (end: MailEnd, id: string, text: string | null) => Call[] };

/**
 * The job that sends a mail (docs/decisions/0077-mail.md). A worker that dies after the server has accepted the mail,
 * and before that is recorded, makes the mail be sent twice, unless its kind reports. No other mail is lost.
 */
export function mailJob(completions: MailCompletions, reports: MailReports, notes: MailNotes): JobKind {
  return {
    limit: () => AT_ONCE,
    calls: true,
    run: async (deps, job) => await sendMail(deps, job, { completions, reports, notes }),
  };
}

async function sendMail(
  deps: Deps,
  job: Job,
  { completions, reports, notes }: { completions: MailCompletions; reports: MailReports; notes: MailNotes },
): Promise<Outcome | "finished"> {
  const { database, config, smtp, keyring } = deps;
  const { tenant, subject: id } = job;
  const mail = await findMail(deps, job);
  if (mail === null) return { outcome: "done" };
  if (mail === "nobody") return await end(deps, job, mailEnds.dropped(id), { outcome: "done" });
  const report = reports[mail.kind] ?? (() => []);
  if (mail.isLate) return await giveUp(deps, job, mail, null, report("late", id, null));
  // The settings were there when the mail was asked for, and may come back.
  if (config.mail === null || smtp === null || config.publicUrl === null)
    return { outcome: "again", afterMs: LONGEST_PAUSE_MS, counts: false };
  const waitMs = await reserveMail(tenant, database, id, mail.kind);
  if (waitMs !== null) {
    mailTallies.note([mail.kind, "waited"]);
    const afterMs = Math.max(waitMs, SHORTEST_WAIT_MS) + Math.random() * SPREAD_MS;
    return { outcome: "again", afterMs, counts: false };
  }
  const stored = JSON.parse(keyring.decrypt(tenant, DETAILS, mail.details)) as MailDetails[MailKind];
  // The user's own; otherwise that of the page on which it was asked for, or of the workspace's country.
  const asked = "language" in stored ? stored.language : null;
  const language = mail.language ?? asked ?? languageOfCountry(mail.country);
  const complete = completions[mail.kind] as Completion | undefined;
  const details =
    complete === undefined ? stored : await complete(deps, { ...mail, tenant, id, details: stored, language });
  if (details === null) return await end(deps, job, mailEnds.dropped(id), { outcome: "done" });
  if ("notSent" in details) return await end(deps, job, mailEnds.givenUp(id, details.notSent), { outcome: "done" });
  const message = messageOf(id, { ...mail, language }, details, config.mail.from, config.publicUrl);
  const sent = await smtp.send(message, job.signal);
  if (sent.outcome === "refused") return await giveUp(deps, job, mail, sent.reason, report("given-up", id, null));
  if (sent.outcome === "failed") {
    const isUnsure = mail.kind in reports && UNSURE.has(sent.reason);
    if (isUnsure) return await giveUp(deps, job, mail, sent.reason, report("unsure", id, null));
    return await tryLater(deps, job, mail, sent, report("again", id, null));
  }
  mailTallies.note([mail.kind, "sent"]);
  const text = `${message.subject}\n\n${message.text}`;
  const note = notes[mail.kind] as Note | undefined;
  const calls = [...mailEnds.accepted(id), ...report("sent", id, text), ...(note?.(details, text) ?? [])];
  return await end(deps, job, calls, { outcome: "done", answered: true });
}

/** Failures after which the server may have accepted the mail all the same. */
const UNSURE: ReadonlySet<string> = new Set(["no-answer", "cut-off"]);

type Completion = (deps: Deps, mail: MailAtHand<MailKind>) => Promise<MailDetails[MailKind] | NotSent | null>;
type Note = (details: MailDetails[MailKind], text: string) => Call[];

/** Null: it has ended. `nobody`: there is no active user to receive it. */
async function findMail({ database }: Deps, { tenant, subject: id }: Job): Promise<WaitingMail | "nobody" | null> {
  const found = await findWaitingMail(tenant, database, id);
  if (found?.kind !== "forgotten-password" || found.userId !== null) return found?.isDeactivated ? "nobody" : found;
  if (!(await addressToUser(tenant, database, id, found.email))) return "nobody";
  const mail = await findWaitingMail(tenant, database, id);
  return mail?.isDeactivated ? "nobody" : mail;
}

async function end({ database }: Deps, job: Job, calls: Call[], outcome: Outcome): Promise<"finished"> {
  await database.write(job.tenant, [...calls, job.finish(outcome)]);
  return "finished";
}

async function tryLater(
  deps: Deps,
  job: Job,
  { kind }: WaitingMail,
  { reason, hasAnswered }: { reason: string; hasAnswered: boolean },
  calls: Call[],
): Promise<"finished"> {
  const { tenant, subject: id, tries } = job;
  mailTallies.note([kind, "failed"]);
  // Neither the address nor the server's own words: both may be personal, and the latter may quote a password.
  deps.logger.warn({ tenant, mail: id, kind, reason }, "a mail could not be sent; it is tried again");
  const afterMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
  const outcome = { outcome: "again", afterMs, counts: true, answered: hasAnswered } as const;
  return await end(deps, job, [...mailEnds.failed(id, reason), ...calls], outcome);
}

async function giveUp(
  deps: Deps,
  job: Job,
  { kind }: WaitingMail,
  reason: string | null,
  calls: Call[],
): Promise<"finished"> {
  const { tenant, subject: id } = job;
  mailTallies.note([kind, "given_up"]);
  deps.logger.error({ tenant, mail: id, kind, reason }, "a mail was given up");
  return await end(deps, job, [...mailEnds.givenUp(id, reason), ...calls], { outcome: "done" });
}

/** The message of a mail. The same text has the same id, however often it is sent. */
function messageOf(
  id: string,
  { kind, email, language, workspace: name, slug, timeZone }: WaitingMail & { language: Language },
  details: MailDetails[MailKind],
  from: { name: string; address: string },
  origin: string,
) {
  const letter = written(letterOf({ kind, details } as Mail, { name, slug, timeZone }, language), origin, language);
  const digest = createHash("sha256").update(`${slug} ${id} ${letter.text}`).digest("hex").slice(0, 32);
  const way = "unsubscribe" in details ? details.unsubscribe : undefined;
  const headers =
    way === undefined
      ? {}
      : { "List-Unsubscribe": `<${origin}${way}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  const sender = "replyTo" in details ? { from: { ...from, name }, replyTo: details.replyTo } : { from };
  const attached = "attachment" in details ? { attachments: [details.attachment] } : {};
  return {
    ...letter,
    ...sender,
    ...attached,
    to: email,
    messageId: `<${digest}@${new URL(origin).hostname}>`,
    headers,
  };
}
