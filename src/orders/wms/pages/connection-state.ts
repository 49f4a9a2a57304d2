import type { Html } from "../../../kit/web/html.ts";
import { localMoment, moment, timeOf, type Language } from "../../../kit/web/language.ts";
import { state } from "../../../kit/web/state.ts";
import { dayAfter } from "../../../platform/dates.ts";
import { warehouseWords } from "./warehouse-words.ts";

/** The name of a warehouse, with whose connection it is: `nord (workspace's)`. */
export function connectionName(subdomain: string, isWorkspaces: boolean, language: Language): string {
  return isWorkspaces ? warehouseWords[language].ofWorkspaceShort(subdomain) : subdomain;
}

/** The state of a connection whose key was refused, with the time; with the date too if that was not today. */
export function refusedKey(refusedAt: string, language: Language, timeZone: string): Html {
  const isToday = localMoment(refusedAt, timeZone).startsWith(dayAfter(0, timeZone));
  const when = isToday ? timeOf(language, refusedAt, timeZone) : moment(language, refusedAt, timeZone);
  return state("wrong", warehouseWords[language].keyRefused(when));
}
