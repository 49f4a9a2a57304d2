import type { InLanguages } from "../../kit/web/language.ts";
import { fieldTable } from "../../platform/fields/fields.ts";

/** The parts of a reminder that people write; its invoices are between the opening and the closing. */
export type ReminderText = { subject: string; opening: string; closing: string };
export const textParts = ["subject", "opening", "closing"] as const;
/** The longest subject, and the longest of the other parts, in code points. */
export const TEXT_MOST = { subject: 150, opening: 1_500, closing: 1_500 } as const;
export const textFields = fieldTable([
  { name: "subject", kind: "string", max: TEXT_MOST.subject, isLine: true },
  { name: "opening", kind: "string", max: TEXT_MOST.opening },
  { name: "closing", kind: "string", max: TEXT_MOST.closing },
]);

/** First, second, third: each firmer than the one before. */
export const LEVELS = [1, 2, 3] as const;
export type Level = (typeof LEVELS)[number];

export function levelOf(earlier: number): Level {
  return LEVELS[Math.min(earlier, LEVELS.length - 1)] ?? 1;
}

const paidMeanwhile = {
  en: "If you have paid in the meantime, please ignore this message.",
  ro: "Dacă ați plătit între timp, vă rugăm să nu țineți seama de acest mesaj.",
};

/** The program's own texts, in the order of the levels. Words in braces are filled in. */
const texts: InLanguages<readonly [ReminderText, ReminderText, ReminderText]> = {
  en: [
    {
      subject: "Overdue invoices - {workspace}",
      opening: "Hello,\n\nOn {day} these invoices are overdue:",
      closing: `Please pay them, or tell us when you will.\n${paidMeanwhile.en}\n\n{sender}`,
    },
    {
      subject: "Second reminder: overdue invoices - {workspace}",
      opening: "Hello,\n\nWe have written to you before. On {day} these invoices are still unpaid:",
      closing: `Please pay them within 5 days, or call us about them.\n${paidMeanwhile.en}\n\n{sender}`,
    },
    {
      subject: "Last reminder: overdue invoices - {workspace}",
      opening: "Hello,\n\nAlthough we have reminded you several times, on {day} these invoices are still unpaid:",
      closing: `Please pay them at once. Otherwise we have to stop deliveries and claim the amounts by law.\n${paidMeanwhile.en}\n\n{sender}`,
    },
  ],
  ro: [
    {
      subject: "Facturi cu scadența depășită - {workspace}",
      opening: "Bună ziua,\n\nLa {day} următoarele facturi au scadența depășită:",
      closing: `Vă rugăm să efectuați plata sau să ne comunicați data la care o veți face.\n${paidMeanwhile.ro}\n\n{sender}`,
    },
    {
      subject: "A doua notificare: facturi restante - {workspace}",
      opening: "Bună ziua,\n\nV-am mai scris. La {day} următoarele facturi sunt în continuare neachitate:",
      closing: `Vă rugăm să efectuați plata în cel mult 5 zile sau să ne sunați.\n${paidMeanwhile.ro}\n\n{sender}`,
    },
    {
      subject: "Ultima notificare: facturi restante - {workspace}",
      opening:
        "Bună ziua,\n\nDeși v-am scris de mai multe ori, la {day} următoarele facturi sunt în continuare neachitate:",
      closing: `Vă rugăm să efectuați plata imediat. Altfel vom opri livrările și vom recupera sumele pe cale legală.\n${paidMeanwhile.ro}\n\n{sender}`,
    },
  ],
};

/** The texts that a workspace has changed, by `ro1` and so on; a part that is left out is the program's. */
export type ChangedTexts = Readonly<Record<string, Partial<ReminderText>>>;

export function textKey(language: keyof typeof texts, level: Level): string {
  return `${language}${level}`;
}

/** The text of a workspace, with the words in braces. */
export function textOf(changed: ChangedTexts, language: keyof typeof texts, level: Level): ReminderText {
  const own = Object.hasOwn(changed, textKey(language, level)) ? changed[textKey(language, level)] : {};
  return { ...texts[language][level - 1], ...own } as ReminderText;
}

/** The text with these words filled in. */
export function filledIn(text: ReminderText, words: Readonly<Record<string, string>>): ReminderText {
  const fill = (part: string) =>
    part.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(words, name) ? (words[name] ?? "") : whole));
  return { subject: fill(text.subject), opening: fill(text.opening), closing: fill(text.closing) };
}
