import type { UnknownReason, UnsentReason } from "../../platform/outbound/http-client.ts";
import type { Trace } from "../../platform/trace.ts";

/**
 * The calls of Liaison to a warehouse management system (WMS). Each kind of WMS has an implementation;
 * `http-warehouse.ts` implements the contract of docs/wms.md. A failure of a WMS or a network is an outcome.
 */
export type WarehouseClient = {
  /** The hostname of a company's WMS, without a port: `wms_instance`. Null if the subdomain is none. */
  instanceOf(subdomain: string): string | null;
  /** Whether the WMS answers and accepts the key. */
  ping(access: WarehouseAccess): Promise<{ outcome: "reached" } | WarehouseFailure>;
  createOrder(access: WarehouseAccess, order: OrderIn): Promise<CreatedOrder | WarehouseFailure>;
  /** No orders: the WMS says that it has none of this pair. Anything else leaves that open. */
  findByPair(access: WarehouseAccess, pair: Pair): Promise<FoundOrders | WarehouseFailure>;
  findByNumberAndFiscalId(access: WarehouseAccess, sought: NumberAndFiscalId): Promise<FoundOrders | WarehouseFailure>;
  order(access: WarehouseAccess, orderId: number): Promise<FoundOrder | WarehouseFailure>;
  /** Optional in the contract: twice has the effect of once. */
  cancelOrder(access: WarehouseAccess, orderId: number): Promise<CancelledOrder | WarehouseFailure>;
  /** @param orderIds at most 100 */
  ordersByIds(access: WarehouseAccess, orderIds: readonly number[]): Promise<OrdersByIds>;
};

export type WarehouseAccess = {
  subdomain: string;
  /** The company's key, in clear. */
  key: string;
  /** Breaks the calls off, with an outcome like any other. */
  signal?: AbortSignal | undefined;
  /** The moment, as steady() says it, from which on no call leaves any more. */
  notAfter?: (() => number) | undefined;
  /** The trace that the calls are a part of. */
  trace?: Trace | null;
};

/** The name of an invoice for every WMS, for ever; the source has the tenant. */
export type Pair = { externalSource: string; externalOrderId: string };

export type NumberAndFiscalId = { invoiceReference: string; clientCui: string };

/** An invoice as a WMS gets it; amounts as text, unknown values null. */
export type OrderIn = Pair & {
  invoiceReference: string;
  clientCui: string | null;
  clientName: string;
  /** `YYYY-MM-DD`. */
  issuedOn: string | null;
  currency: string | null;
  total: string | null;
  delivery: Delivery;
  lines: readonly OrderLine[];
};

export type Delivery = {
  name: string | null;
  address: string | null;
  city: string | null;
  county: string | null;
  country: string | null;
  postalCode: string | null;
  phone: string | null;
  notes: string | null;
};

export type OrderLine = {
  /** From 1. */
  position: number;
  sku: string | null;
  description: string;
  quantity: string;
  unitPrice: string;
};

/** An order as its WMS returns it. */
export type Order = {
  /** From 1 to 2^53 - 1. */
  orderId: number;
  orderNumber: string | null;
  /** An open string, as the WMS says it. */
  status: string | null;
  externalOrderId: string | null;
  externalSource: string | null;
  invoiceReference: string | null;
  clientCui: string | null;
  total: string | null;
  /** As sent. */
  createdAt: string | null;
  /** A timestamp as PostgreSQL reads it. */
  updatedAt: string | null;
};

/** Adopted: the WMS had the order of this pair already, and says so. */
export type CreatedOrder = { outcome: "created" | "adopted"; order: Order };
export type FoundOrders = { outcome: "found"; orders: Order[] };
export type FoundOrder = { outcome: "found"; order: Order };

/** `order`: its state after the answer. `kept`: the WMS does not cancel it any more, in its words. */
export type CancelledOrder =
  | { outcome: "cancelled"; order: Order }
  | { outcome: "kept"; message: string; order: Order | null }
  /** The WMS has no such call. */
  | { outcome: "unsupported" };

/** Every id is in one of the three: its order, `missing` (the WMS says that it has none), or `unasked`. */
export type OrdersByIds = {
  orders: Order[];
  missing: number[];
  unasked: number[];
  /** Why ids are unasked; null if the time was over. */
  failure: WarehouseFailure | null;
};

/** All but the last are certain: nothing was executed. */
export type WarehouseFailure =
  /** For good; `message` is the WMS's, cleaned, of at most 500 code points. */
  | { outcome: "refused"; message: string }
  | { outcome: "credentials" }
  /** `retryAfterMs`: as the WMS requests, an hour at most; null if it does not. */
  | { outcome: "throttled"; retryAfterMs: number | null }
  | { outcome: "missing" }
  | { outcome: "unsent"; reason: UnsentReason | "subdomain" }
  /** `status`: of an answer that says that the warehouse does not work (5xx). */
  | { outcome: "unknown"; reason: UnknownReason | UnreadableReason; status?: number };

/** The answer does not say whether the call had an effect. `pair`, `order`: it is about another one. */
export type UnreadableReason = "status" | "redirect" | "json" | "invalid-order" | "pair" | "order";

/** Whether a result means that the WMS or the network failed, not only this call. */
export function isBreakdown({ outcome }: { outcome: string }): boolean {
  return outcome === "unsent" || outcome === "unknown";
}
