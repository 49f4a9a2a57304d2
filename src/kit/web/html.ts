/** HTML that is safe to send. Plain strings are not of this type, so none is used as HTML by mistake. */
export type Html = Markup;

/** A value in a template; null, undefined and false write nothing. */
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
 * The template tag for HTML. Every value is escaped for a text or a quoted attribute, unless it is Html. A URL (for
 * example in `href="${...}"`) with a script or another scheme becomes `#`.
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

/** HTML of an earlier template, which was stored encrypted as a whole. */
export function storedHtml(text: string): Html {
  return new Markup(text);
}

/** Adds an attribute to the tag that begins at an offset. Values are escaped, so a value cannot end a tag. */
export function withAttribute(markup: Html, tagAt: number, name: "autofocus"): Html {
  const text = String(markup);
  const end = text.indexOf(">", tagAt);
  return new Markup(`${text.slice(0, end)} ${name}${text.slice(end)}`);
}

const ADDRESS = /\s(?:href|src|action|formaction|poster)="$/i;

/** Allows own paths and the schemes of links to people; nothing else that begins with a scheme. */
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
