import type { Language } from "../../kit/web/language.ts";
import { messagesIn } from "../../kit/web/messages.ts";
import { textFields, type ReminderText } from "../../orders/reminders/reminder-texts.ts";
import { validate } from "../../platform/fields/validation.ts";
import { reminderWords } from "./reminder-words.ts";

/** The parts of a typed reminder as they are stored, and what is wrong with the first wrong one. */
export function readText<Text extends Partial<ReminderText>>(
  typed: Text,
  language: Language,
): { text: Text; wrong: string | null } {
  const { values, errors } = validate(textFields, typed, "update");
  const { subject, opening, closing } = reminderWords[language];
  const [wrong = null] = Object.values(messagesIn(language, errors ?? {}, { subject, opening, closing })).flat();
  const parts = Object.keys(typed).map((part) => [part, values[part] ?? ""]);
  return { text: Object.fromEntries(parts) as Text, wrong };
}
