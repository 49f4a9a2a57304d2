import type { Dice } from "./faults.ts";
import { pairOf, type Kept, type Ledger, type OrderIn } from "./ledger.ts";
import { showOrder } from "./statuses.ts";

export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  idempotencyKey: string | null;
  body: unknown;
};
export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

export type Warehouse = {
  ledger: Ledger;
  /** The instance asked. */
  name: string;
  dice: Dice;
  now: number;
  progressMs: number | null;
  lagMs: number;
};

const MAX_IDS = 100;
const WITHOUT_BULK = [400, 404, 405];
const WITHOUT_CANCEL = [404, 405, 501];

/** The calls of docs/wms.md 2, executed. */
export function answerCall(warehouse: Warehouse, request: Request): Answer {
  const { method, path, query } = request;
  if (path === "/ping") return method === "GET" ? { status: 200, body: { data: {} } } : notAllowed();
  if (path === "/orders" && method === "POST") return createOrder(warehouse, request);
  const [, cancelled] = /^\/orders\/(\d{1,15})\/cancel$/.exec(path) ?? [];
  if (cancelled !== undefined && method === "POST") return cancelOrder(warehouse, Number(cancelled));
  if (method !== "GET") return notAllowed();
  const [, id] = /^\/orders\/(\d{1,15})$/.exec(path) ?? [];
  if (id !== undefined) return oneOrder(warehouse, Number(id));
  if (path !== "/orders") return { status: 404, body: { error: "There is no such call." } };
  if (query.has("order_ids")) return ordersByIds(warehouse, query.get("order_ids") ?? "");
  if (query.has("external_source") && query.has("external_order_id")) {
    return lookUp(warehouse, ["external_source", "external_order_id"], query);
  }
  if (query.has("invoice_reference") && query.has("client_cui")) {
    return lookUp(warehouse, ["invoice_reference", "client_cui"], query);
  }
  return { status: 400, body: { error: "Look up by a pair, by number and fiscal id, or by ids." } };
}

function createOrder(warehouse: Warehouse, { body, idempotencyKey }: Request): Answer {
  const { ledger, name, now, dice } = warehouse;
  const errors = complaints(body, idempotencyKey);
  if (Object.keys(errors).length > 0) return { status: 422, body: { error: "Validation failed.", errors } };
  const sent = body as OrderIn;
  const known = ledger
    .instance(name)
    .byPair.get(pairOf(sent))
    ?.find(({ vanished }) => !vanished);
  if (known === undefined || dice.strikes("duplicates") !== null) {
    return { status: 201, body: { data: show(warehouse, ledger.create(name, sent, now)) } };
  }
  const data = show(warehouse, known);
  const conflict = { status: 409, body: { error: "There is an order of this pair already.", data } };
  return dice.strikes("conflict") === null ? { status: 200, body: { data } } : conflict;
}

function complaints(body: unknown, idempotencyKey: string | null): Record<string, string[]> {
  const sent = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const errors: Record<string, string[]> = {};
  for (const name of ["external_order_id", "external_source", "invoice_reference", "client_name"]) {
    if (typeof sent[name] !== "string" || sent[name] === "") errors[name] = [`The ${name} must be a text.`];
  }
  if (!Array.isArray(sent["lines"])) errors["lines"] = ["The lines must be a list."];
  if (typeof sent["delivery"] !== "object" || sent["delivery"] === null)
    errors["delivery"] = ["The delivery is missing."];
  if (idempotencyKey !== `${String(sent["external_source"])}/${String(sent["external_order_id"])}`) {
    errors["idempotency_key"] = ["The Idempotency-Key must be the pair."];
  }
  return errors;
}

/** Twice has the effect of once. */
function cancelOrder(warehouse: Warehouse, id: number): Answer {
  const { ledger, name, now, dice, progressMs } = warehouse;
  if (dice.strikes("no-cancel") !== null) {
    const status = WITHOUT_CANCEL[Math.floor(dice.number("without") * WITHOUT_CANCEL.length)] ?? 404;
    return { status, body: { error: "There is no such call." } };
  }
  const [order] = present(warehouse, [id]);
  if (order === undefined) return { status: 404, body: { error: "There is no such order." } };
  const { status } = showOrder(order, now, progressMs);
  if (status !== "cancelled") {
    const isShipped = status === "shipped" || status === "delivered";
    const error = isShipped ? "The order is shipped." : "It is too late to cancel the order.";
    if (isShipped || dice.strikes("too-late") !== null)
      return { status: 409, body: { error, data: show(warehouse, order) } };
    ledger.change(name, order, { status: "cancelled", changed: now });
  }
  return { status: 200, body: { data: show(warehouse, order) } };
}

function oneOrder(warehouse: Warehouse, id: number): Answer {
  const [order] = present(warehouse, [id]);
  if (order === undefined) return { status: 404, body: { error: "There is no such order." } };
  return { status: 200, body: { data: show(warehouse, order) } };
}

function ordersByIds(warehouse: Warehouse, text: string): Answer {
  if (warehouse.dice.strikes("no-bulk") !== null) {
    const status = WITHOUT_BULK[Math.floor(warehouse.dice.number("without") * WITHOUT_BULK.length)] ?? 404;
    return { status, body: { error: "There is no bulk call." } };
  }
  const ids = text.split(",").map(Number);
  if (ids.length > MAX_IDS || ids.some((id) => !Number.isSafeInteger(id) || id < 1)) {
    return { status: 422, body: { error: `The order_ids must be at most ${MAX_IDS} ids.` } };
  }
  return { status: 200, body: { data: present(warehouse, ids).map((order) => show(warehouse, order)) } };
}

/** The orders of some ids; where the dice say so, the first of them is lost from now on. */
function present({ ledger, name, dice }: Warehouse, ids: number[]): Kept[] {
  const { orders } = ledger.instance(name);
  const found = ids.flatMap((id) => orders.get(id) ?? []).filter(({ vanished }) => !vanished);
  const [first] = found;
  if (first === undefined || dice.strikes("vanish") === null) return found;
  ledger.change(name, first, { vanished: true });
  return found.slice(1);
}

function lookUp(warehouse: Warehouse, members: (keyof OrderIn)[], query: URLSearchParams): Answer {
  const { ledger, name, dice, now, lagMs } = warehouse;
  const newest = dice.strikes("lag") === null ? now : now - lagMs;
  const isPair = members[0] === "external_source";
  const { orders, byPair } = ledger.instance(name);
  const sought = Object.fromEntries(members.map((member) => [member, query.get(member)]));
  const candidates = isPair ? (byPair.get(pairOf(sought)) ?? []) : [...orders.values()];
  const found = candidates.filter(
    ({ vanished, created, sent }) =>
      !vanished && created <= newest && members.every((member) => (sent[member] ?? null) === sought[member]),
  );
  return { status: 200, body: { data: found.map((order) => show(warehouse, order)) } };
}

function show({ now, progressMs, dice }: Warehouse, order: Kept) {
  return showOrder(order, now, progressMs, dice.strikes("stale") !== null);
}

function notAllowed(): Answer {
  return { status: 405, body: { error: "Method not allowed." } };
}
