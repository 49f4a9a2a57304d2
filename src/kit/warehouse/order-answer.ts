import type { IncomingHttpHeaders } from "node:http";
import { now } from "../../platform/clock.ts";
import { parseTimestamp } from "../../platform/dates.ts";
import { isObject } from "../../platform/fields/validation.ts";
import { parseRetryAfter } from "../../platform/outbound/retry-after.ts";
import { codePoints, composed, isStorable } from "../../platform/text.ts";
import type { Order, Pair, WarehouseFailure } from "./warehouse-client.ts";

const WMS_TEXT_MAX = 255;
/** A shorter key is part of many words, so it is removed only as a whole word. */
const LONG_KEY = 8;

/**
 * The JSON of an answer, without the key of the request; undefined for any other body, and for a compressed one, which
 * no request permits.
 */
export function parseJson(body: Buffer, key: string): unknown {
  const bare = (name: string, value: unknown) => {
    if (typeof value === "string") return withoutKey(value, key);
    // A number is taken as text, an order's id aside.
    return typeof value === "number" && name !== "order_id" && String(value).includes(key) ? "[key]" : value;
  };
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), bare);
  } catch {
    return undefined;
  }
}

/** A text of a warehouse, which may repeat the key that it got, without it. */
function withoutKey(text: string, key: string): string {
  if (key.length >= LONG_KEY) return text.replaceAll(key, "[key]");
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(key)}(?![\\p{L}\\p{N}])`, "gu"), "[key]");
}

/** The member of an object; undefined if there is none. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An ORDER of the contract (docs/wms.md 3); null if it is invalid, above all if its id is no integer from 1. */
export function parseOrder(value: unknown): Order | null {
  const orderId = member(value, "order_id");
  if (!Number.isSafeInteger(orderId) || Number(orderId) < 1) return null;
  const order: Record<string, string | null> = {};
  for (const name of TEXTS) {
    const text = parseText(member(value, name));
    if (text === undefined) return null;
    order[name] = text;
  }
  const updatedAt = order["updated_at"] ?? null;
  const updated = updatedAt === null ? null : parseTimestamp(updatedAt);
  if (updatedAt !== null && updated === null) return null;
  return {
    orderId: Number(orderId),
    orderNumber: order["order_number"] ?? null,
    status: order["status"] ?? null,
    externalOrderId: order["external_order_id"] ?? null,
    externalSource: order["external_source"] ?? null,
    // A blank one is no value.
    invoiceReference: order["invoice_reference"]?.trim() || null,
    clientCui: order["client_cui"]?.trim() || null,
    total: order["total"] ?? null,
    createdAt: order["created_at"] ?? null,
    updatedAt: updated,
  };
}

const TEXTS = [
  "order_number",
  "status",
  "external_order_id",
  "external_source",
  "invoice_reference",
  "client_cui",
  "total",
  "created_at",
  "updated_at",
];

/** Every order of a list, or null if one is invalid. */
export function parseOrders(value: unknown): Order[] | null {
  if (!Array.isArray(value)) return null;
  const orders = value.map(parseOrder);
  return orders.every((order) => order !== null) ? orders : null;
}

/** Whether an order can be that of a pair: a member that the warehouse left out counts as equal. */
export function isOfPair(order: Order, pair: Pair): boolean {
  return (
    (order.externalSource ?? pair.externalSource) === pair.externalSource &&
    (order.externalOrderId ?? pair.externalOrderId) === pair.externalOrderId
  );
}

/** Numbers become text: a WMS may store an id or an amount as a number. Undefined: it is neither. */
function parseText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || !isStorable(text) || codePoints(text) > WMS_TEXT_MAX) return undefined;
  // Composed as the invoice's own texts, which it is compared with. A text with endless marks equals none of them.
  return composed(text) ?? text;
}

/** The longest message of a refusal, in characters. */
const MESSAGE_MAX = 500;
/** Control and format characters, line ends, halves of a surrogate pair: a message is one plain line. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** An answer that is no success, as the contract means it (docs/wms.md 5). */
export function failureOfAnswer(status: number, headers: IncomingHttpHeaders, json: unknown): WarehouseFailure {
  if (status === 401) return { outcome: "credentials" };
  // Some services throttle with 403; only then do they say when to come again.
  if (status === 429 || (status === 403 && headers["retry-after"] !== undefined)) {
    return { outcome: "throttled", retryAfterMs: parseRetryAfter(headers, now()) };
  }
  if (status === 403) return { outcome: "credentials" };
  if (status === 404) return { outcome: "missing" };
  if (status === 422) return { outcome: "refused", message: refusalMessage(json) };
  const reason = status >= 300 && status < 400 ? "redirect" : "status";
  return { outcome: "unknown", reason, ...(status >= 500 && { status }) };
}

/** The `error` and the messages of `errors`. */
export function refusalMessage(json: unknown): string {
  const errors = member(json, "errors");
  const details = typeof errors === "object" && errors !== null ? Object.values(errors).flat() : [];
  const texts = [member(json, "error"), ...details].filter((text) => typeof text === "string");
  const message = texts.join(" ").replaceAll(UNPRINTABLE, " ").trim();
  return message === "" ? "The warehouse gave no reason." : cut(message);
}

function cut(message: string): string {
  return Array.from(message.slice(0, 2 * MESSAGE_MAX))
    .slice(0, MESSAGE_MAX)
    .join("");
}
