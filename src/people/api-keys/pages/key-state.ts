import { html, type Html } from "../../../kit/web/html.ts";
import { dayOf, moment, type Language } from "../../../kit/web/language.ts";
import { state } from "../../../kit/web/state.ts";
import { now } from "../../../platform/clock.ts";
import { isoTimestamp } from "../../../platform/dates.ts";
import type { ListedKey } from "../api-key-queries.ts";
import { keyWords } from "../key-words.ts";

/** Whether a key works now. */
export function isActive({ revokedAt, expiresAt }: ListedKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(isoTimestamp(expiresAt)) > now());
}

/** Whether the key works, and until when. */
export function keyState(key: ListedKey, language: Language, timeZone: string): Html {
  const words = keyWords[language];
  if (key.revokedAt !== null) return state("wrong", words.revoked);
  if (!isActive(key)) return state("neutral", words.expired);
  const { expiresAt, replacedAt } = key;
  if (expiresAt === null) return state("good", words.active);
  if (replacedAt !== null) {
    return html`${state("attention", words.replaced)} <span class="muted">${words.worksUntil(moment(language, expiresAt, timeZone))}</span>`;
  }
  return html`${state("attention", words.active)} <span class="muted">${words.until(dayOf(language, expiresAt, timeZone))}</span>`;
}

/** When a key was last used and from where. */
export function lastUse({ lastUsedAt, lastUsedFrom }: ListedKey, language: Language, timeZone: string): string {
  const words = keyWords[language];
  if (lastUsedAt === null) return words.never;
  const time = moment(language, lastUsedAt, timeZone);
  return lastUsedFrom === null ? time : words.usedAt(time, lastUsedFrom);
}
