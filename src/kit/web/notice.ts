import { isId } from "../../platform/ids.ts";
import { html, type Html } from "./html.ts";
import type { Language } from "./language.ts";
import { shellWords } from "./shell-words.ts";
import type { Meaning } from "./state.ts";

/**
 * A line on the next page, such as "Deleted." with its undo button. A cookie carries its name and plain values. The
 * words are looked up when it is shown, so a forged cookie cannot add its own text.
 */
export type Notice = { name: string; values: Readonly<Record<string, string>> };

/** Notices by name; each makes its line from values that may be anything. A line without a meaning reports success. */
export type NoticeWords = Readonly<
  Record<string, (values: Readonly<Record<string, string>>, language: Language) => Html | NoticeLine>
>;

/** A line with its meaning, which also sets colour and shape. */
export type NoticeLine = { meaning: Meaning; line: Html };

export function notice(name: string, values: Record<string, string> = {}): Notice {
  return { name, values };
}

/** A button that restores a deleted row. Others can also set the cookie with its id, so the id may be any. */
export function undoButton(table: string, id: string, language: Language): Html | false {
  return (
    isId(id) &&
    html`<form method="post" action="/${table}/${id}/restore"><button class="link">${shellWords[language].undo}</button></form>`
  );
}

export function noticeText(notice: Notice): string {
  return Buffer.from(JSON.stringify(notice)).toString("base64url");
}

/** Null if the text is not a notice of Liaison. */
export function parseNotice(text: string): Notice | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return null;
  }
  const { name, values } = (parsed ?? {}) as Partial<Record<string, unknown>>;
  if (typeof name !== "string" || typeof values !== "object" || values === null) return null;
  const texts = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { name, values: Object.fromEntries(texts) };
}
