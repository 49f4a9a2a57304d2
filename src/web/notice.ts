import { isId } from "../platform/ids.ts";
import { html, type Html } from "./html.ts";
import type { Language } from "./language.ts";
import { shellWords } from "./shell-words.ts";
import type { Meaning } from "./state.ts";

/**
 * A line for the next page, such as "Deleted." with its undo. It travels in a cookie as a name and plain values: the words are
 * looked up where it is shown, so that whoever sets a cookie can say nothing of his own.
 */
export type Notice = { name: string; values: Readonly<Record<string, string>> };

/** Notices by name; each makes its line of the values, which may be anything. A line alone says that something was done. */
export type NoticeWords = Readonly<
  Record<string, (values: Readonly<Record<string, string>>, language: Language) => Html | Told>
>;

/** A line with what it means, which its colour and its shape say too. */
export type Told = { meaning: Meaning; line: Html };

export function notice(name: string, values: Record<string, string> = {}): Notice {
  return { name, values };
}

/** The button that restores a row which was deleted. The cookie that its id comes from can be set by others too, with any id. */
export function undoButton(table: string, id: string, language: Language): Html | false {
  return (
    isId(id) &&
    html`<form method="post" action="/${table}/${id}/restore"><button class="link">${shellWords[language].undo}</button></form>`
  );
}

export function noticeText(notice: Notice): string {
  return Buffer.from(JSON.stringify(notice)).toString("base64url");
}

/** Null where the text is none of ours. */
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
