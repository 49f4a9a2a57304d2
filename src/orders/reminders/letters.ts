import type { LetterRow } from "../../kit/mail/mail-kind.ts";
import { amount, day, type InLanguages, type Language } from "../../kit/web/language.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { sumOfDecimals } from "../invoices/paid.ts";
import {
  readRecipients,
  readRemindable,
  type OverdueInvoice,
  type Recipient,
  type RemindableInvoice,
} from "./reminder-queries.ts";
import { filledIn, levelOf, textOf, type Level, type ReminderText } from "./reminder-texts.ts";
import { changedTexts } from "./text-queries.ts";

/** An address that a letter can go to: that of a contact, by its id, or the company's own. */
export type Address = { contactId: string | null; name: string; email: string; language: Language };

/** A letter as it is proposed to a person. */
export type ProposedLetter = ReminderText & {
  companyId: string;
  companyName: string;
  level: Level;
  language: Language;
  addresses: Address[];
  /** The proposed address; null if none is meant for reminders. */
  to: Address | null;
  /** The invoices that it lists, the longest due first. */
  invoices: OverdueInvoice[];
  /** Overdue ones that were reminded of in the last three days: they are listed only if somebody asks for it. */
  recent: OverdueInvoice[];
  /** The newest reminder that the person sees. */
  through: number;
};

/** The person who reminds, and the workspace. */
export type Reminding = {
  tenant: TenantId;
  workspace: { name: string; timeZone: string };
  user: { name: string };
  /** The firm's; empty if it has none. */
  phone: string;
  /** The language of people who have none of their own. */
  usual: Language;
};

/** A letter for each of the companies that exist, by their names; also for those without an overdue invoice. */
export async function proposeLetters(
  database: Database,
  { tenant, workspace, user, phone, usual }: Reminding,
  companies: readonly string[],
): Promise<ProposedLetter[]> {
  const today = dayAfter(0, workspace.timeZone);
  const [{ recipients, candidates }, changed] = await Promise.all([
    readRemindable(tenant, database, companies, today),
    changedTexts(tenant, database),
  ]);
  const sender = [user.name, workspace.name, phone].filter((part) => part !== "").join(", ");
  const ofCompany = Map.groupBy(candidates, ({ companyId }) => companyId);
  return [...Map.groupBy(recipients, ({ companyId }) => companyId)].map(([companyId, found]): ProposedLetter => {
    const all = ofCompany.get(companyId) ?? [];
    const { addresses, to, companyName } = addressesOf(found, usual);
    const language = to?.language ?? usual;
    const invoices = all.filter(({ isRecent }) => !isRecent);
    const level = levelOf(timesOf(invoices.length > 0 ? invoices : all));
    const words = { company: companyName, workspace: workspace.name, person: user.name, sender };
    const text = textOf(changed, language, level);
    const { subject, opening, closing } = filledIn(text, { ...words, day: day(language, today) });
    return {
      companyId,
      companyName,
      addresses,
      to,
      language,
      level,
      invoices,
      recent: all.filter(({ isRecent }) => isRecent),
      through: Math.max(0, ...all.map(({ last }) => last)),
      subject,
      opening,
      closing,
    };
  });
}

/** The address that letters to a company go to, unless a person chooses another one; null if it has none. */
export async function recipientOf(
  tenant: TenantId,
  database: Database,
  company: string,
  usual: Language,
): Promise<Address | null> {
  return addressesOf(await readRecipients(tenant, database, [company]), usual).to;
}

/** The reminders of the invoice that has the most. */
function timesOf(invoices: readonly OverdueInvoice[]): number {
  return Math.max(0, ...invoices.map(({ times }) => times));
}

/** The addresses of a company. `to`: the contact for accounting, else the primary one, else the company's own. */
function addressesOf(found: readonly Recipient[], usual: Language) {
  const companyName = found[0]?.companyName ?? "";
  const companyEmail = found[0]?.companyEmail ?? null;
  const contacts = found.flatMap(({ contactId, contactName, email, language, isFirst }) =>
    contactId === null ? [] : [{ contactId, name: contactName, email, language: spoken(language, usual), isFirst }],
  );
  const [first, others] = [contacts.filter(({ isFirst }) => isFirst), contacts.filter(({ isFirst }) => !isFirst)];
  const own =
    companyEmail === null ? [] : [{ contactId: null, name: companyName, email: companyEmail, language: usual }];
  return { companyName, addresses: [...first, ...own, ...others], to: first[0] ?? own[0] ?? null };
}

function spoken(code: string, usual: Language): Language {
  return code === "ro" || code === "en" ? code : usual;
}

const rowWords = {
  en: {
    row: (number: string, issued: string | null, due: string) =>
      `${number}${issued === null ? "" : ` of ${issued}`}, due ${due}`,
    total: "Total",
  },
  ro: {
    row: (number: string, issued: string | null, due: string) =>
      `${number}${issued === null ? "" : ` din ${issued}`}, scadentă la ${due}`,
    total: "Total",
  },
} satisfies InLanguages<object>;

/** The invoices of a letter as it lists them, with a sum for each currency. */
export function letterRows(invoices: readonly RemindableInvoice[], language: Language): LetterRow[] {
  const words = rowWords[language];
  const shown = (value: string, currency: string) => amount(language, value, currency) ?? "";
  const rows: LetterRow[] = [];
  for (const [currency, some] of Map.groupBy(invoices, (of) => of.currency)) {
    for (const { number, issuedOn, dueOn, left } of some) {
      const issued = issuedOn === null ? null : day(language, issuedOn);
      rows.push({ text: words.row(number, issued, day(language, dueOn)), amount: shown(left, currency) });
    }
    rows.push({ text: words.total, amount: shown(sumOfDecimals(some.map(({ left }) => left)), currency) });
  }
  return rows;
}
