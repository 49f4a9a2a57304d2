import type { Order, Pair } from "../../../kit/warehouse/warehouse-client.ts";
import type { SendReason } from "../../invoices/wms-error.ts";
import { isOfFiscalId, isOfNumber, isSameAmount } from "../same-invoice.ts";
import type { Link } from "./reconfirm-queries.ts";

export type Grade = "exact" | "strong" | "ambiguous" | "none";

/** The answers of a warehouse about a link, and their grade. */
export type Evidence = {
  grade: Grade;
  /** The hostname of the asked warehouse; null if none could be asked. */
  instance: string | null;
  /** The order of the link's id. */
  order: Order | null;
  agrees: { pair: boolean; number: boolean; fiscalId: boolean; total: boolean };
  /** Other orders that fit the invoice as well, or instead. */
  others: Order[];
  /** The number of another invoice that has the order of the link's id; null without one. */
  heldBy: string | null;
  /** The failed call, after which no answer counts; null if the warehouse answered all of them. */
  failure: SendReason | null;
};

/** The orders that each look-up found. `heldBy`: the number of another invoice that has the order of the link's id. */
export type OrdersFound = {
  heldBy: string | null;
  byId: Order | null;
  byPair: readonly Order[];
  byNumber: readonly Order[];
};

const NOTHING = { pair: false, number: false, fiscalId: false, total: false };

export function noEvidence(instance: string | null, failure: SendReason): Evidence {
  return { grade: "none", instance, order: null, agrees: NOTHING, others: [], heldBy: null, failure };
}

/** Grades the answers of a warehouse about a link (docs/web.md 9.1). */
export function weighEvidence(
  instance: string,
  link: Link,
  pair: Pair,
  { byId, byPair, byNumber, heldBy }: OrdersFound,
): Evidence {
  const fitting = byNumber.filter((order) => isOfNumber(order, link) && isOfFiscalId(order, link));
  const others = new Map([...byPair, ...fitting].map((order) => [order.orderId, order]));
  others.delete(link.orderId);
  const agrees = byId === null ? NOTHING : agreement(byId, link, pair, { byPair, fitting });
  const grade = others.size > 0 || heldBy !== null ? "ambiguous" : gradeOf(byId, agrees);
  return { grade, instance, order: byId, agrees, others: [...others.values()], heldBy, failure: null };
}

function gradeOf(order: Order | null, { pair, number, fiscalId, total }: Evidence["agrees"]): Grade {
  if (order === null) return "none";
  if (pair || (number && fiscalId && total)) return "exact";
  if (number && fiscalId) return "strong";
  return number || fiscalId ? "ambiguous" : "none";
}

/** A warehouse that shows neither pair, number nor fiscal id in its orders still finds them by those. */
function agreement(
  order: Order,
  link: Link,
  pair: Pair,
  { byPair, fitting }: { byPair: readonly Order[]; fitting: readonly Order[] },
): Evidence["agrees"] {
  const isIn = (orders: readonly Order[]) => orders.some(({ orderId }) => orderId === order.orderId);
  const isFitting = isIn(fitting);
  return {
    pair:
      isIn(byPair) || (order.externalSource === pair.externalSource && order.externalOrderId === pair.externalOrderId),
    number: order.invoiceReference === null ? isFitting : isOfNumber(order, link),
    fiscalId: order.clientCui === null ? isFitting : isOfFiscalId(order, link),
    total: order.total !== null && link.total !== null && isSameAmount(order.total, link.total),
  };
}
