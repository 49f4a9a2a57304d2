import { html, type Html } from "./html.ts";

/** The only meanings that a colour has. Each has a shape too (controls.css), so that none is told by its colour alone. */
export type Meaning = "neutral" | "good" | "waiting" | "attention" | "wrong";

/** A state: a word with its colour and its shape. */
export function state(meaning: Meaning, word: string): Html {
  return html`<span class="state ${meaning}">${word}</span>`;
}
