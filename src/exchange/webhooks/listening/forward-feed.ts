import { setTimeout as pause } from "node:timers/promises";
import { now } from "../../../platform/clock.ts";
import { messageOfChange } from "../message-of-change.ts";
import { orderAfter, orderEventIn, isOrderEvent } from "../order-events.ts";
import { messageHeaders } from "../signature.ts";
import { failureOf, type FedChange, type FollowedApi } from "./followed-api.ts";

export type Listening = {
  api: FollowedApi;
  /** The receiver's address. */
  forward: URL;
  secret: string;
  finalStatuses: readonly string[];
  /** Ends the forwarding. */
  stop: AbortSignal;
  /** Reports a forwarded message. */
  say: (line: string) => void;
  /** Reports a receiver that does not accept a message. */
  warn: (line: string) => void;
};

/** The cursor behind the last change that was forwarded, and the number of messages. */
export type Listened = { cursor: string; forwarded: number };

/** Milliseconds that a receiver has for its answer, as a webhook's. */
const ANSWER_MS = 15_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Forwards the changes behind a cursor to a receiver, one message after the other, until it is stopped. A message that
 * the receiver does not take is repeated, and none is skipped.
 */
export async function forwardFeed(listening: Listening, after: string): Promise<Listened> {
  const { api, stop } = listening;
  let [cursor, changes, forwarded] = [after, 0, 0];
  try {
    for (;;) {
      const { data, next } = await api.changesAfter(cursor);
      for (const change of data) {
        for (const event of eventsOf(listening, change)) {
          await forward(listening, event, await messageFor(listening, change, event));
          forwarded++;
        }
        changes++;
      }
      [cursor, changes] = [next, 0];
    }
  } catch (error) {
    if (!stop.aborted) throw error;
    return { cursor: changes === 0 ? cursor : await api.cursorBehind(cursor, changes), forwarded };
  }
}

function eventsOf({ finalStatuses }: Listening, { type, action, changed }: FedChange): string[] {
  const orderEvent = orderEventIn({ type, changed: JSON.stringify(changed) }, finalStatuses);
  return [`${type}.${action}`, ...(orderEvent === null ? [] : [orderEvent])];
}

type Message = ReturnType<typeof messageOfChange>;

/** The message that a webhook would get. What a change of an order leaves open is as the invoice is now. */
async function messageFor({ api }: Listening, change: FedChange, event: string): Promise<Message> {
  const { id, at, resource_id: invoice, changed } = change;
  const message = (data: object) => messageOfChange({ id: String(id), at, event, data: JSON.stringify(data) });
  if (!isOrderEvent(event)) return message(change);
  const order = await api.orderOf(invoice);
  const orderNow = {
    instance: order?.instance ?? null,
    orderId: order?.order_id ?? null,
    orderNumber: order?.order_number ?? null,
    statusChanged: JSON.stringify({ wms_status: { to: order?.status ?? null } }),
  };
  const { resource, ...rest } = change as FedChange & { resource?: unknown };
  const told = { ...rest, order: orderAfter(JSON.stringify(changed), orderNow) };
  return message(resource === undefined ? told : { ...told, resource });
}

/** Sends a message until the receiver accepts it. */
async function forward(listening: Listening, event: string, { id, body }: Message): Promise<void> {
  const { stop, say, warn } = listening;
  for (let pauseMs = FIRST_PAUSE_MS, isFirst = true; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const answer = await post(listening, id, body);
    if (answer.isTaken) return say(`${event} ${id} ${answer.said}`);
    if (isFirst) warn(`${event} ${id} ${answer.said}: it is sent again until a 2xx answers it.`);
    isFirst = false;
    await pause(pauseMs, null, { signal: stop });
  }
}

async function post(
  { forward, secret, stop }: Listening,
  id: string,
  body: string,
): Promise<{ isTaken: boolean; said: string }> {
  const headers = messageHeaders([secret], { id, seconds: Math.floor(now() / 1_000), body });
  const signal = AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const answer = await fetch(forward, { method: "POST", headers, body, redirect: "manual", signal });
    await answer.body?.cancel();
    return { isTaken: answer.ok, said: String(answer.status) };
  } catch (error) {
    stop.throwIfAborted();
    return { isTaken: false, said: failureOf(error) };
  }
}
