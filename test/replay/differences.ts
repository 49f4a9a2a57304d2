import type { Recorded } from "./recorder.ts";

/** A kind of difference, its requests, and the answers to the first of them. */
export type Difference = { kind: string; requests: string[]; before: Recorded; after: Recorded };

/**
 * What answers differ in, by kind. Growth is none: a header more, or a member more in an object. Requests are the same
 * on both sides, by place.
 */
export function differencesOf(before: readonly Recorded[], after: readonly Recorded[]): Difference[] {
  const found = new Map<string, Difference>();
  for (const [index, old] of before.entries()) {
    const now = after[index];
    if (now === undefined) throw new Error(`no answer to ${old.request}`);
    for (const kind of kindsOf(old, now)) {
      found
        .getOrInsertComputed(kind, () => ({ kind, requests: [], before: old, after: now }))
        .requests.push(old.request);
    }
  }
  return [...found.values()];
}

function kindsOf(before: Recorded, after: Recorded): string[] {
  if (before.request !== after.request) return [`another request: ${after.request}`];
  const kinds: string[] = [];
  if (before.status !== after.status) kinds.push(`status ${before.status} became ${after.status}`);
  for (const [name, value] of Object.entries(before.headers)) {
    const now = after.headers[name];
    if (now !== value) kinds.push(now === undefined ? `header ${name} is gone` : `header ${name} changed`);
  }
  if (before.body === after.body) return kinds;
  const [old, now] = [json(before.body), json(after.body)];
  if (old === undefined || now === undefined) return [...kinds, "text of the body"];
  return [...kinds, ...new Set(changesIn(old, now, "body"))];
}

function changesIn(before: unknown, after: unknown, at: string): string[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = before.length === after.length ? [] : [`${at} has another length`];
    return [
      ...length,
      ...before.flatMap((item, index) => (index in after ? changesIn(item, after[index], `${at}[]`) : [])),
    ];
  }
  if (isRecord(before) && isRecord(after)) {
    const kept = Object.keys(before).filter((name) => name in after);
    const order = Object.keys(after).filter((name) => name in before);
    return [
      ...(kept.join(" ") === order.join(" ") ? [] : [`${at} has another order`]),
      ...Object.keys(before).flatMap((name) =>
        name in after ? changesIn(before[name], after[name], `${at}.${name}`) : [`${at}.${name} is gone`],
      ),
    ];
  }
  return [`${at} changed`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
