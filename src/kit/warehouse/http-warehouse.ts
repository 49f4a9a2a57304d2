import { now } from "../../platform/clock.ts";
import { deliveryTallies } from "../../platform/outbound/call-tallies.ts";
import type { HttpClient, OutboundRequest } from "../../platform/outbound/http-client.ts";
import { traceparent } from "../../platform/trace.ts";
import { instanceUrl } from "./instance-url.ts";
import {
  failureOfAnswer,
  isOfPair,
  member,
  parseJson,
  parseOrder,
  parseOrders,
  refusalMessage,
} from "./order-answer.ts";
import { orderRequest } from "./order-request.ts";
import type {
  CancelledOrder,
  CreatedOrder,
  WarehouseFailure,
  FoundOrder,
  FoundOrders,
  OrderIn,
  OrdersByIds,
  Pair,
  WarehouseAccess,
  WarehouseClient,
} from "./warehouse-client.ts";

type Unknown = Extract<WarehouseFailure, { outcome: "unknown" }>;
type HttpAnswer = {
  outcome: "answered";
  status: number;
  data: unknown;
  failure: WarehouseFailure;
  /** The texts of a refusal. */
  message: string;
};
/** A call with a body, which a second one with the same key repeats. */
type Posted = { key: string; body: string };
type CallOutcome = HttpAnswer | Exclude<WarehouseFailure, { outcome: "refused" | "throttled" | "missing" }>;

/** The characters that a header can carry. */
const KEY = /^[\x21-\x7e]{1,4096}$/;
/** A WMS that does not know the call that cancels answers one of these. */
const WITHOUT_CANCEL = new Set([404, 405, 501]);
/** A WMS that does not know the bulk call answers one of these. */
const WITHOUT_BULK = new Set([400, 404, 405]);

/**
 * The contract of docs/wms.md over HTTP. An outcome has no part of a key, a body or an answer, except an ORDER and the
 * message of a 422.
 * @param template LIAISON_WMS_URL
 * @param timeoutMs for look-ups one by one: ids that are left then are not looked up
 */
export function createHttpWarehouse(http: HttpClient, template: string, timeoutMs: number): WarehouseClient {
  const call = (access: WarehouseAccess, path: string, posted?: Posted) =>
    callOnce(http, template, access, path, posted);
  const client: WarehouseClient = {
    instanceOf: (subdomain) => instanceUrl(template, subdomain)?.hostname ?? null,
    async ping(access) {
      const answer = await call(access, "ping");
      if (answer.outcome !== "answered") return answer;
      if (answer.status !== 200) return answer.failure;
      return typeof answer.data === "object" && answer.data !== null ? { outcome: "reached" } : unknown("json");
    },
    async createOrder(access, order) {
      const answer = await call(access, "orders", creating(order));
      const created = answer.outcome === "answered" ? createdOrder(answer, order) : answer;
      deliveryTallies.note(["warehouse", created.outcome]);
      return created;
    },
    async findByPair(access, pair) {
      const found = foundOrders(await call(access, `orders?${query(pairQuery(pair))}`));
      if (found.outcome !== "found") return found;
      return found.orders.every((order) => isOfPair(order, pair)) ? found : unknown("pair");
    },
    async findByNumberAndFiscalId(access, { invoiceReference, clientCui }) {
      const sought = { invoice_reference: invoiceReference, client_cui: clientCui };
      return foundOrders(await call(access, `orders?${query(sought)}`));
    },
    async order(access, orderId) {
      return foundOrder(await call(access, `orders/${orderId}`), orderId);
    },
    async cancelOrder(access, orderId) {
      const posted = { key: `cancel/${orderId}`, body: "{}" };
      return cancelledOrder(await call(access, `orders/${orderId}/cancel`, posted), orderId);
    },
    async ordersByIds(access, orderIds) {
      const answer = await call(access, `orders?order_ids=${orderIds.join(",")}`);
      if (answer.outcome === "answered" && WITHOUT_BULK.has(answer.status)) {
        return callEach(client, access, orderIds, timeoutMs);
      }
      const found = foundOrders(answer);
      if (found.outcome !== "found") return { orders: [], missing: [], unasked: [...orderIds], failure: found };
      const orders = new Map(found.orders.map((order) => [order.orderId, order]));
      // A WMS that ignores the ids answers with other orders, so an order that it leaves out is not missing.
      if (found.orders.some(({ orderId }) => !orderIds.includes(orderId))) {
        return { orders: [], missing: [], unasked: [...orderIds], failure: unknown("order") };
      }
      return {
        orders: orderIds.flatMap((id) => orders.get(id) ?? []),
        missing: orderIds.filter((id) => !orders.has(id)),
        unasked: [],
        failure: null,
      };
    },
  };
  return client;
}

async function callOnce(
  http: HttpClient,
  template: string,
  { subdomain, key, signal, notAfter, trace = null }: WarehouseAccess,
  path: string,
  posted: Posted | undefined,
): Promise<CallOutcome> {
  const base = instanceUrl(template, subdomain);
  if (base === null) return { outcome: "unsent", reason: "subdomain" };
  if (!KEY.test(key)) return { outcome: "credentials" };
  const traced = trace === null ? {} : { traceparent: traceparent(trace) };
  const headers = { authorization: `Bearer ${key}`, accept: "application/json", ...traced };
  const request: OutboundRequest = { method: "GET", url: new URL(path, base), headers, signal, notAfter };
  const result = await http.exchange(posted === undefined ? request : posting(request, posted));
  if (result.outcome !== "answered") return result;
  const json = parseJson(result.body, key);
  const failure = failureOfAnswer(result.status, result.headers, json);
  return {
    outcome: "answered",
    status: result.status,
    data: member(json, "data"),
    failure,
    message: refusalMessage(json),
  };
}

function creating(order: OrderIn): Posted {
  return { key: `${order.externalSource}/${order.externalOrderId}`, body: orderRequest(order) };
}

function posting(request: OutboundRequest, { key, body }: Posted): OutboundRequest {
  const headers = { ...request.headers, "content-type": "application/json", "idempotency-key": key };
  return { ...request, method: "POST", headers, body };
}

/** 409 and 422: the order goes on. */
function cancelledOrder(answer: CallOutcome, orderId: number): CancelledOrder | WarehouseFailure {
  if (answer.outcome !== "answered") return answer;
  const { status, data, failure, message } = answer;
  if (WITHOUT_CANCEL.has(status)) return { outcome: "unsupported" };
  const order = parseOrder(data);
  if (status === 409 || status === 422)
    return { outcome: "kept", message, order: order?.orderId === orderId ? order : null };
  if (status !== 200) return failure;
  if (order === null) return unknown("invalid-order");
  return order.orderId === orderId ? { outcome: "cancelled", order } : unknown("order");
}

/** 200 and 409 contain the existing order of the pair. */
function createdOrder({ status, data, failure }: HttpAnswer, pair: Pair): CreatedOrder | WarehouseFailure {
  if (status !== 201 && status !== 200 && status !== 409) return failure;
  const order = parseOrder(data);
  if (order === null) return status === 409 && data === undefined ? failure : unknown("invalid-order");
  if (!isOfPair(order, pair)) return unknown("pair");
  return { outcome: status === 201 ? "created" : "adopted", order };
}

/** Only a 200 is a result; an empty list means that there is no order. */
function foundOrders(answer: CallOutcome): FoundOrders | WarehouseFailure {
  if (answer.outcome !== "answered") return answer;
  if (answer.status !== 200) return answer.failure;
  if (!Array.isArray(answer.data)) return unknown("json");
  const orders = parseOrders(answer.data);
  return orders === null ? unknown("invalid-order") : { outcome: "found", orders };
}

function foundOrder(answer: CallOutcome, orderId: number): FoundOrder | WarehouseFailure {
  if (answer.outcome !== "answered") return answer;
  if (answer.status !== 200) return answer.failure;
  const order = parseOrder(answer.data);
  if (order === null) return unknown("invalid-order");
  return order.orderId === orderId ? { outcome: "found", order } : unknown("order");
}

/** Ends at a failure, or when the time of one call is over: the job that waits for a slow WMS has a lease. */
async function callEach(
  client: WarehouseClient,
  access: WarehouseAccess,
  orderIds: readonly number[],
  timeoutMs: number,
): Promise<OrdersByIds> {
  const result: OrdersByIds = { orders: [], missing: [], unasked: [...orderIds], failure: null };
  const end = now() + timeoutMs;
  for (const orderId of orderIds) {
    if (now() >= end) break;
    const found = await client.order(access, orderId);
    if (found.outcome === "found") result.orders.push(found.order);
    else if (found.outcome === "missing") result.missing.push(orderId);
    else return { ...result, failure: found };
    result.unasked.shift();
  }
  return result;
}

function unknown(reason: Unknown["reason"]): Unknown {
  return { outcome: "unknown", reason };
}

function pairQuery({ externalSource, externalOrderId }: Pair): Record<string, string> {
  return { external_source: externalSource, external_order_id: externalOrderId };
}

/** By percent signs alone: not every server reads a plus as a space. */
function query(parameters: Record<string, string>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
}
