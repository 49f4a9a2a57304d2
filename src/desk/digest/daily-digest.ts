import type { Deps } from "../../kit/deps.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import type { DigestGroup } from "../../kit/mail/mail-kind.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import type { MailCompletions } from "../../kit/mail/send-mail.ts";
import { day, wholeNumber } from "../../kit/web/language.ts";
import { shownStateOf, shownWord } from "../../orders/invoices/shown-state.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { listCallBacks, listNeeds } from "../today/today-queries.ts";
import { makeDigests, readMorning } from "./digest-queries.ts";
import { digestWords } from "./digest-words.ts";
import { unsubscribePath } from "./unsubscribe.ts";

/** The most items of a group. */
const SHOWN = 10;

/** Makes the digests of a workspace if it is past seven o'clock there, and comes again at the next seven o'clock. */
export async function planDigests(deps: Deps, { tenant }: Job): Promise<Outcome> {
  const morning = await readMorning(tenant, deps.database);
  if (morning?.hasSubscribers !== true) return { outcome: "done" };
  if (morning.isDue) await sendDigests(deps, tenant, false);
  return { outcome: "again", afterMs: morning.nextMs, counts: false };
}

/** Has the digests of all subscribers sent now. @param isAgain as makeDigests */
export async function sendDigests(deps: Deps, tenant: TenantId, isAgain: boolean): Promise<number> {
  return await makeDigests(tenant, deps.database, isAgain, (user) =>
    mailing(deps, tenant, { user }, { kind: "daily-digest", details: {} }),
  );
}

/** The content of a digest when the mail is sent. With nothing to do, or no subscription, there is no mail. */
export const digestMails = {
  "daily-digest": async (deps, { tenant, userId, hasDigest, language, timeZone }) => {
    if (userId === null || !hasDigest) return null;
    const words = digestWords[language];
    const today = dayAfter(0, timeZone);
    const query = { today, assignedTo: userId, most: SHOWN };
    const [calls, needs] = await Promise.all([listCallBacks(tenant, deps, query), listNeeds(tenant, deps, query)]);
    const total = (count: number, isMore: boolean) => `${wholeNumber(language, count)}${isMore ? "+" : ""}`;
    const groups: DigestGroup[] = [
      {
        title: words.calls,
        total: total(calls.total, calls.isCut),
        things: calls.callBacks.map(({ id, name, contact, date, about }) => ({
          text: `${words.due(name, contact?.name ?? null, day(language, date))}${about === null ? "" : ` ${about}`}`,
          path: `/companies/${id}`,
        })),
      },
      {
        title: words.orders,
        total: total(needs.total, needs.isCut),
        things: needs.orders.map(({ invoice, companyName }) => ({
          text: `${invoice.number}, ${companyName}: ${shownWord(shownStateOf(invoice), language)}`,
          path: `/invoices/${invoice.id}`,
        })),
      },
    ].filter(({ things }) => things.length > 0);
    return groups.length === 0 ? null : { groups, unsubscribe: unsubscribePath(deps.keyring, tenant, userId) };
  },
} satisfies MailCompletions;
