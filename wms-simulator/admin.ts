import type { Lateness } from "./calls.ts";
import type { Answer } from "./contract.ts";
import { checkFaults, type Fault, type Faults } from "./faults.ts";
import type { Ledger } from "./ledger.ts";
import { showOrder } from "./statuses.ts";

export type Switches = {
  /** For every instance that has none of its own. */
  faults: Faults;
  ofInstance: Map<string, Faults>;
  /** Null: every key is taken. */
  keys: readonly string[] | null;
};

export type Board = {
  ledger: Ledger;
  switches: Switches;
  /** How often each fault struck. */
  struck: Map<Fault, number>;
  /** Calls of each instance, by method and path without an id. */
  calls: Map<string, Map<string, number>>;
  progressMs: number | null;
  lateness: () => Lateness;
};

/** The simulator's own endpoints, under /simulator, for tests and for people. Wrong input throws. */
export function answerAdmin(board: Board, method: string, url: URL, body: unknown, now: number): Answer {
  const [what, name, id] = url.pathname.split("/").slice(2);
  const instance = url.searchParams.get("instance");
  if (what === "ledger" && method === "GET") return { status: 200, body: ledgerOf(board, now) };
  if (what === "lateness" && method === "GET") return { status: 200, body: board.lateness() };
  if (what === "faults" && method === "GET") return { status: 200, body: faultsOf(board) };
  if (what === "faults" && method === "PUT") {
    const faults = checkFaults(objectOf(body));
    if (instance === null) board.switches.faults = faults;
    else board.switches.ofInstance.set(instance, faults);
    return { status: 200, body: faultsOf(board) };
  }
  if (what === "keys" && method === "PUT") {
    board.switches.keys = Array.isArray(body) ? body.map(String) : null;
    return { status: 200, body: { keys: board.switches.keys } };
  }
  if (what === "orders" && name !== undefined && method === "POST" && id === undefined) {
    const order = board.ledger.create(name, objectOf(body), now);
    return { status: 201, body: { data: showOrder(order, now, board.progressMs) } };
  }
  if (what === "orders" && name !== undefined && method === "PUT") {
    return changeOrder(board, name, Number(id), objectOf(body), now);
  }
  return { status: 404, body: { error: "The simulator has ledger, lateness, faults, keys and orders." } };
}

function changeOrder(board: Board, name: string, id: number, change: Record<string, unknown>, now: number): Answer {
  const order = board.ledger.instance(name).orders.get(id);
  if (order === undefined) return { status: 404, body: { error: "There is no such order." } };
  const { status, vanished } = change;
  if (typeof status === "string") board.ledger.change(name, order, { status, changed: now });
  if (typeof vanished === "boolean") board.ledger.change(name, order, { vanished });
  return { status: 200, body: { data: showOrder(order, now, board.progressMs) } };
}

/** Every order of every instance, vanished ones too, with the document that made it; and what was asked how often. */
function ledgerOf({ ledger, calls, progressMs }: Board, now: number): unknown {
  const instances = ledger.instances().map(([name, { orders, byPair }]) => [
    name,
    {
      orders: [...orders.values()].map((order) =>
        Object.assign({ vanished: order.vanished, sent: order.sent }, showOrder(order, now, progressMs)),
      ),
      duplicates: [...byPair.values()].filter(
        (known) => known.length > 1 && known[0]?.sent.external_order_id !== undefined,
      ).length,
      calls: Object.fromEntries(calls.get(name) ?? []),
    },
  ]);
  return { instances: Object.fromEntries(instances) as unknown };
}

function faultsOf({ switches, struck }: Board): unknown {
  return {
    faults: switches.faults,
    of_instance: Object.fromEntries(switches.ofInstance),
    struck: Object.fromEntries(struck),
  };
}

function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Error("The body must be a JSON object.");
  return body as Record<string, unknown>;
}
