import { isStorable, isWithin, shortened, trim } from "../text.ts";
import type { FieldErrors } from "./field-reasons.ts";
import type { Input } from "./fields.ts";
import type { Member } from "./json.ts";
import { asChecked, isObject, type Mode } from "./validation.ts";

/** The member of a write, and the column, with the ids that other systems gave to a resource: `{source: id}`. */
export const EXTERNAL = "external";

/** The most external ids of a resource. The database counts them too (migrations/functions/keep_external_ids.sql). */
export const EXTERNAL_MAX = 10;
export const EXTERNAL_ID_MAX = 255;
export const SOURCE = /^[a-z0-9_-]{1,40}$/;

/** Sources of one write: it may replace every id of a resource by another source's. */
const SOURCES_SENT_MAX = 2 * EXTERNAL_MAX;
/** Characters of an invalid source that are shown. */
const SOURCE_SHOWN = 40;

/** An id by its source. */
export type ExternalId = { source: string; externalId: string };

/** The column, behind the members of a resource. JSON has it only if a request asks for it (externalJson). */
export const externalMember: Member = { name: EXTERNAL, kind: "json" };

/** The ids of a write by source; null for a source to remove. */
type Sent = ReadonlyMap<string, string | null>;

/**
 * Checks external ids that were sent as the member `name`; null if it was not sent. On create, null counts as not sent.
 */
export function checkExternal(
  input: Input,
  name: string,
  mode: Mode,
): { sent: Sent; errors: FieldErrors | null } | null {
  if (!Object.hasOwn(input, name)) return null;
  const value = asChecked(input[name]);
  const refused = (errors: FieldErrors) => ({ sent: new Map<string, string | null>(), errors });
  if (value === null && mode === "create") return null;
  if (!isObject(value)) return refused({ [name]: [{ code: "notObject" }] });
  const members = Object.entries(value).map(([source, id]) => [source, asChecked(id)] as const);
  const named = members.filter(([, id]) => id !== null);
  if (members.length > SOURCES_SENT_MAX || named.length > EXTERNAL_MAX) return refused({ [name]: tooMany });
  const errors: [string, FieldErrors[string]][] = members.flatMap(([source, id]) => {
    if (!SOURCE.test(source)) return [[`${name}.${shortened(source, SOURCE_SHOWN)}`, [{ code: "notSelectable" }]]];
    const reasons = id === null ? [] : reasonsOf(id);
    return reasons.length === 0 ? [] : [[`${name}.${source}`, reasons]];
  });
  if (errors.length > 0) return refused(Object.fromEntries(errors));
  const sent = members.map(([source, id]) => [source, typeof id === "string" ? id : null] as const);
  return { sent: new Map(sent), errors: null };
}

/** The error of a resource that would have too many external ids. */
export const tooMany: FieldErrors[string] = [{ code: "tooManyItems", bound: EXTERNAL_MAX }];

function reasonsOf(id: unknown): FieldErrors[string] {
  if (typeof id !== "string") return [{ code: "notText" }];
  if (!isStorable(id)) return [{ code: "notStorable" }];
  return isWithin(id, EXTERNAL_ID_MAX) ? [] : [{ code: "tooLong", bound: EXTERNAL_ID_MAX }];
}

/** The external ids of a write as its statement needs them; undefined if it changes none. A create removes none. */
export function storedExternal(sent: Sent, mode: Mode): string | undefined {
  const stored = [...sent].filter(([, id]) => mode === "update" || id !== null);
  return stored.length === 0 ? undefined : JSON.stringify(Object.fromEntries(stored));
}

/** The valid external ids that were sent; none if any is invalid. */
export function externalIdsIn(input: Input): ExternalId[] {
  const checked = checkExternal(input, EXTERNAL, "create");
  return [...(checked?.sent ?? [])].flatMap(([source, id]) => (id === null ? [] : { source, externalId: id }));
}

/** The external ids in a stored column, or in those of a write, which has null for a source to remove. */
export function externalIdsOf(stored: string | null): ExternalId[] {
  return Object.entries(JSON.parse(stored ?? "{}") as Record<string, string | null>).flatMap(([source, id]) =>
    id === null ? [] : { source, externalId: id },
  );
}

/** Whether a resource would have too many external ids after a write. */
export function hasTooMany(stored: string | null, sent: string): boolean {
  const merged = { ...(JSON.parse(stored ?? "{}") as object), ...(JSON.parse(sent) as object) };
  return Object.values(merged).filter((id) => id !== null).length > EXTERNAL_MAX;
}

/** The stored column as JSON, by ascending source. */
export function externalJson(stored: string | null): string {
  const members = externalIdsOf(stored).toSorted((a, b) => (a.source < b.source ? -1 : 1));
  return `{${members.map(({ source, externalId }) => `${JSON.stringify(source)}:${JSON.stringify(externalId)}`).join(",")}}`;
}

/** An external id as a text: `source:id`. */
export function externalName({ source, externalId }: ExternalId): string {
  return `${source}:${externalId}`;
}

/** Reads `source:id`; null if no resource can have it. The id may contain a colon. */
export function parseExternalId(text: string): ExternalId | null {
  const at = text.indexOf(":");
  const [source, externalId] = [text.slice(0, Math.max(at, 0)), trim(text.slice(at + 1))];
  const isOne =
    SOURCE.test(source) && externalId !== "" && isStorable(externalId) && isWithin(externalId, EXTERNAL_ID_MAX);
  return isOne ? { source, externalId } : null;
}
