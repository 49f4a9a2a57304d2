import { html, type Content, type Html } from "../html.ts";
import type { FieldMessages } from "../messages.ts";
import { errorLine, inputValue } from "./field.ts";

/** A field that is in no field table: a password, a code, an end date. */
export type InputRow = {
  name: string;
  label: Content;
  type?: "text" | "password" | "email" | "date";
  value?: string | null | undefined;
  hint?: Content;
  /** The HTML autocomplete token for browsers and password managers. */
  autocomplete?: string;
  /** Switches spell checking and correction off, for values that are not words. */
  isVerbatim?: boolean;
  isOptional?: boolean;
};

export function inputRow(row: InputRow, errors: FieldMessages | null = null): Html {
  const { name, label, type = "text", value, hint, autocomplete, isVerbatim, isOptional } = row;
  const isWrong = errors?.[name] !== undefined;
  const described = [hint !== undefined && `${name}-hint`, isWrong && `${name}-error`].filter(Boolean).join(" ");
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}"${type !== "password" && html` value="${inputValue(value)}"`}${
    autocomplete !== undefined && html` autocomplete="${autocomplete}"`
  }${isVerbatim === true && html` autocapitalize="none" spellcheck="false"`}${
    described !== "" && html` aria-describedby="${described}"`
  }${isWrong && html` aria-invalid="true"`}${isOptional !== true && html` required`}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${errorLine(name, errors)}</div>`;
}
