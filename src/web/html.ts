/** HTML that is safe to send. A plain string is not of this type, so none passes as HTML by accident. */
export type Html = Markup;

/** Anything that stands between the tags of a template; null, undefined and false write nothing. */
export type Content = string | number | bigint | Html | null | undefined | false | readonly Content[];

class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/**
 * The template tag that makes HTML. Every value is escaped for a text or a quoted attribute, unless it is Html itself;
 * an address (`href="${...}"` and the like) that would run a script or leave for another scheme becomes `#`.
 */
export function html(literals: TemplateStringsArray, ...values: Content[]): Html {
  let text = literals[0] ?? "";
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const written = write(value);
    text += ADDRESS.test(literals[i] ?? "") && !isNavigable(String(value)) ? "#" : written;
    text += literals[i + 1] ?? "";
  }
  return new Markup(text);
}

/** Text that is HTML already. The only other way to make it: whoever calls this answers for the text. */
export function raw(text: string): Html {
  return new Markup(text);
}

/** The same with one attribute more in the tag that begins at a place of its text. No value has an end of a tag: they are escaped. */
export function withAttribute(markup: Html, tagAt: number, name: "autofocus"): Html {
  const text = String(markup);
  const end = text.indexOf(">", tagAt);
  return new Markup(`${text.slice(0, end)} ${name}${text.slice(end)}`);
}

const ADDRESS = /\s(?:href|src|action|formaction|poster)="$/i;

/** Paths of our own, the schemes that links to people have, and nothing that begins like a scheme otherwise. */
function isNavigable(address: string): boolean {
  return /^(?:\/(?![/\\])|[?#]|https?:\/\/|mailto:|tel:)/i.test(address);
}

function write(value: Content): string {
  if (typeof value === "string") return escape(value);
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "object" && !(value instanceof Markup)) return value.map(write).join("");
  return String(value);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escape(text: string): string {
  return /[&<>"']/.test(text) ? text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "") : text;
}
