import { html, type Html } from "./html.ts";

/** All meanings of colours. Each meaning has a shape too (controls.css), so that colour is never its only sign. */
export type Meaning = "neutral" | "good" | "waiting" | "attention" | "wrong";

/** A state: a word with its colour and shape. */
export function state(meaning: Meaning, word: string): Html {
  return html`<span class="state ${meaning}">${word}</span>`;
}
