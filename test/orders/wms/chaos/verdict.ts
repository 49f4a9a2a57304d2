import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Lateness, SeenCall } from "../../../../wms-simulator/calls.ts";
import { request } from "../../../harness.ts";
import { ordersOf } from "./ledger.ts";
import { SETTLE_MS, SIMULATED, type Stage } from "./stage.ts";

export type Verdict = {
  /** Invoices of which the warehouses have several orders. */
  dup: number;
  /** Invoices of which the warehouses have no order. */
  lost: number;
  /** Invoices whose link is not their order, or whose order is not as they are, and orders of no invoice. */
  mismatched: number;
  /** Invoices that are not `sent`. */
  unknown: number;
};

/** What is wrong with one pair, `source/id`, or with an invoice that was never written. */
type Wrong = { what: keyof Verdict; pair: string; details: string };

/** A verdict with its reasons, and what they are worth. */
export type Judged = { verdict: Verdict; wrong: Wrong[] };

/** Every invoice beside what the warehouses have. */
export async function judge(stage: Stage, numbers: readonly string[]): Promise<Judged> {
  const orders = new Map<string, string[]>();
  for (const { instance, vanished, external_source, external_order_id, ...order } of await ordersOf(stage)) {
    if (vanished) continue;
    const { orderId, order_number: number, sent } = order;
    const link = `${instance}.localhost ${orderId} ${number} ${String(sent.invoice_reference)} ${String(sent.total)}`;
    const pair = `${external_source}/${external_order_id}`;
    orders.set(pair, [...(orders.get(pair) ?? []), link]);
  }
  const invoices = await stage.sql(
    `select i.number, i.wms_state as state, 'liaison/' || t.slug || '/' || i.id as pair,
      concat_ws(' ', i.wms_instance, i.wms_order_id, i.wms_order_number, i.number, i.total) as link
    from invoices i join tenants t on t.id = i.tenant_id`,
  );
  const written = new Set(invoices.map(({ number }) => String(number)));
  const wrong = numbers.flatMap((number): Wrong[] =>
    written.has(number) ? [] : [{ what: "lost", pair: number, details: "never written" }],
  );
  for (const { number, state, pair: named, link } of invoices) {
    const pair = String(named);
    const found = orders.get(pair) ?? [];
    orders.delete(pair);
    const details = `invoice ${String(number)} is ${String(state)}, its link is "${String(link)}", its orders are ${JSON.stringify(found)}`;
    if (found.length === 0) wrong.push({ what: "lost", pair, details });
    if (found.length > 1) wrong.push({ what: "dup", pair, details });
    if (state !== "sent") wrong.push({ what: "unknown", pair, details });
    else if (found[0] !== link) wrong.push({ what: "mismatched", pair, details });
  }
  wrong.push(...(await delivered(stage)));
  for (const [pair, found] of orders) {
    wrong.push({ what: "mismatched", pair, details: `no invoice, its orders are ${JSON.stringify(found)}` });
  }
  const verdict: Verdict = { dup: 0, lost: 0, mismatched: 0, unknown: 0 };
  for (const { what } of wrong) verdict[what]++;
  return { verdict, wrong };
}

/** Invoices that name another delivery than their order has. */
async function delivered(stage: Stage): Promise<Wrong[]> {
  const sent = new Map((await ordersOf(stage)).map((order) => [`${order.instance} ${order.orderId}`, order.sent]));
  const ofPeople = stage.people.map(async ({ tenantId, token }): Promise<Wrong[]> => {
    const { url } = await stage.server.current();
    const rows = await stage.sql(
      `select id::text, split_part(wms_instance, '.', 1) || ' ' || wms_order_id as order from invoices
      where tenant_id = $1 and wms_state = 'sent'`,
      [tenantId],
    );
    const wrong: Wrong[] = [];
    for (const { id, order } of rows) {
      const { body } = await request(url, "GET", `/api/v1/invoices/${String(id)}`, undefined, { token });
      const [is, was] = [body.data.delivered_to, sent.get(String(order))?.delivery];
      if (isDeepStrictEqual(is, was)) continue;
      const details = `is delivered to ${JSON.stringify(is)}, its order to ${JSON.stringify(was)}`;
      wrong.push({ what: "mismatched", pair: `invoice ${String(id)}`, details });
    }
    return wrong;
  });
  return (await Promise.all(ofPeople)).flat();
}

/**
 * Prints what is wrong, with the calls of each pair. The calls of a clean run are removed. Returns whether the run is
 * void: the simulator was so late that it may have broken its own contract (docs/wms.md 4).
 */
export function report(
  { callsFile }: Pick<Stage, "callsFile">,
  { wrong }: Judged,
  { behindCaller, ofLoop }: Lateness,
  say: (line: string) => void,
): boolean {
  const latest = behindCaller + ofLoop + SIMULATED.lagMs;
  const isVoid = latest > SETTLE_MS;
  say(
    `the simulator executed calls up to ${behindCaller} ms after their callers had gone, its loop was up to ${ofLoop} ms late: ` +
      `with its lag ${latest} of ${SETTLE_MS} ms${isVoid ? ", so a double may be its own" : ""}`,
  );
  if (wrong.length === 0) {
    fs.rmSync(path.dirname(callsFile), { recursive: true });
    return isVoid;
  }
  const lines = fs.readFileSync(callsFile, "utf8").split("\n").slice(0, -1);
  const calls = Map.groupBy(
    lines.map((line) => JSON.parse(line) as SeenCall),
    ({ pair }) => pair,
  );
  for (const { what, pair, details } of wrong) {
    say(`${what}: ${pair}: ${details}`);
    for (const call of calls.get(pair) ?? []) say(`  ${new Date(call.at).toISOString()} ${JSON.stringify(call)}`);
  }
  say(`all calls of the simulator: ${callsFile}`);
  return isVoid;
}
