import { isOfPair } from "../../../src/kit/warehouse/order-answer.ts";
import type {
  NumberAndFiscalId,
  Pair,
  WarehouseFailure,
  Order,
  OrderIn,
  WarehouseAccess,
  WarehouseClient,
} from "../../../src/kit/warehouse/warehouse-client.ts";
import { steady } from "../../../src/platform/clock.ts";

/** What becomes of a call to create an order. */
export type Post =
  | "created"
  /** Nobody hears of it: executed at once, before LIAISON_WMS_SETTLE is over, or not at all. */
  | "executed"
  | "executed later"
  | "lost"
  | "throttled"
  | "refused"
  | "credentials"
  | "unsent"
  /** The worker stalls before the call leaves, before its answer is read, or while the warehouse takes its time. */
  | "stalls before"
  | "stalls after"
  | "stalls meanwhile";

/** What becomes of a look-up; lagging: it does not find what was made since the last settling. */
export type Look = "all" | "lagging" | "unknown" | "throttled" | "credentials" | "unsent" | "stalls";

/** `epoch`: the one in which the order was asked for. `street`: of its delivery. */
export type Made = { subdomain: string; order: Order; epoch: number; street: string | null };

/** Whatever warehouse it is made at: an order is never made again. */
let orders = 0;

/**
 * Warehouses that follow a script, and make another order at a second POST. Only for a pair that another
 * installation has used they make none.
 */
export type ScriptedWarehouse = {
  client: WarehouseClient;
  script: { post: Post; look: Look };
  made: Made[];
  /** How often the database went back. */
  epoch: number;
  /** The orders that it had, and has no more. */
  lost: Made[];
  /** Loses an order for good. */
  lose(orderId: number): void;
  /** Has another installation, of the same source and tenant, send an invoice of its own with this id. */
  useElsewhere(subdomain: string, pair: Pair): void;
  /** Takes the orders of other installations away, as a person does there. */
  tidy(): void;
  /** What was asked for by now is executed, and found from now on. */
  settle(): void;
  /** Whether all that was asked for is executed. */
  isSettled(): boolean;
  /** Resolves when a call stalls. */
  stalled(): Promise<void>;
  /** Has the calls that stall go on. */
  wake(): void;
};

export function createScriptedWarehouse(): ScriptedWarehouse {
  const script: ScriptedWarehouse["script"] = { post: "created", look: "all" };
  const made: Made[] = [];
  const lost: Made[] = [];
  let foreign: Made[] = [];
  let found: Made[] = [];
  let late: (() => void)[] = [];
  let waking: (() => void)[] = [];
  let hasStalled = () => {};

  const stall = async () => {
    await new Promise<void>((resolve) => {
      waking.push(resolve);
      hasStalled();
    });
  };

  const execute = (subdomain: string, order: OrderIn, epoch: number): Made => {
    const theirs = foreign.find((one) => one.subdomain === subdomain && isOfPair(one.order, order));
    if (theirs !== undefined) return theirs;
    const { externalOrderId, externalSource, invoiceReference, clientCui, total } = order;
    const told = { externalOrderId, externalSource, invoiceReference, clientCui, total };
    const one = { subdomain, order: orderOf(told), epoch, street: order.delivery.address };
    made.push(one);
    return one;
  };

  async function createOrder({ subdomain, notAfter }: WarehouseAccess, order: OrderIn) {
    const { epoch } = warehouse;
    const created = () => ({ outcome: "created" as const, order: execute(subdomain, order, epoch).order });
    switch (script.post) {
      case "created":
        return created();
      case "executed":
        created();
        return failures.unknown;
      case "executed later":
        late.push(created);
        return failures.unknown;
      case "lost":
        return failures.unknown;
      case "stalls before":
        await stall();
        // As every client of a warehouse does: a worker that has lost its lease lets no call leave.
        return (notAfter?.() ?? 0) > steady() ? created() : failures.unsent;
      case "stalls after": {
        const answer = created();
        await stall();
        return answer;
      }
      case "stalls meanwhile": {
        let answer: ReturnType<typeof created> | null = null;
        late.push(() => (answer = created()));
        await stall();
        return answer ?? failures.unknown;
      }
      default:
        return failures[script.post];
    }
  }

  async function find({ subdomain }: WarehouseAccess, isSought: (order: Order) => boolean) {
    const { look } = script;
    if (look !== "all" && look !== "lagging" && look !== "stalls") return failures[look];
    const seen = look === "lagging" ? found : made;
    const all = [...seen, ...foreign].filter((one) => one.subdomain === subdomain && isSought(one.order));
    const orders = all.map(({ order }) => order);
    if (look === "stalls") await stall();
    return { outcome: "found" as const, orders };
  }

  const unasked = () => {
    throw new Error("a sender makes no such call");
  };
  const warehouse: ScriptedWarehouse = {
    client: {
      instanceOf: (subdomain) => `${subdomain}.example`,
      createOrder,
      findByPair: async (access, pair: Pair) => await find(access, (order) => isOfPair(order, pair)),
      findByNumberAndFiscalId: async (access, { invoiceReference, clientCui }: NumberAndFiscalId) =>
        await find(access, (order) => order.invoiceReference === invoiceReference && order.clientCui === clientCui),
      ping: unasked,
      async order({ subdomain }, orderId) {
        const { look } = script;
        if (look !== "all" && look !== "lagging" && look !== "stalls") return failures[look];
        const one = made.find((each) => each.subdomain === subdomain && each.order.orderId === orderId);
        return one === undefined ? { outcome: "missing" } : { outcome: "found", order: { ...one.order } };
      },
      async cancelOrder({ subdomain }, orderId) {
        const one = made.find((each) => each.subdomain === subdomain && each.order.orderId === orderId);
        const cancelled = () => {
          if (one !== undefined) one.order.status = "cancelled";
        };
        switch (script.post) {
          case "created":
            if (one === undefined) return { outcome: "unsupported" };
            cancelled();
            return { outcome: "cancelled", order: { ...one.order } };
          case "executed":
            cancelled();
            return failures.unknown;
          case "executed later":
            late.push(cancelled);
            return failures.unknown;
          case "lost":
            return failures.unknown;
          case "refused":
            return { outcome: "kept", message: "Too late.", order: null };
          case "throttled":
          case "credentials":
          case "unsent":
            return failures[script.post];
          default:
            return { outcome: "unsupported" };
        }
      },
      async ordersByIds({ subdomain }, orderIds) {
        const orders = made.filter((one) => one.subdomain === subdomain).map(({ order }) => order);
        const isHere = (orderId: number) => orders.some((order) => order.orderId === orderId);
        return {
          orders: orders.filter(({ orderId }) => orderIds.includes(orderId)),
          missing: orderIds.filter((orderId) => !isHere(orderId)),
          unasked: [],
          failure: null,
        };
      },
    },
    script,
    made,
    epoch: 0,
    lost,
    lose(orderId) {
      const at = made.findIndex(({ order }) => order.orderId === orderId);
      if (at >= 0) lost.push(...made.splice(at, 1));
    },
    useElsewhere(subdomain, pair) {
      if (made.some((one) => one.subdomain === subdomain && isOfPair(one.order, pair))) return;
      const others = { invoiceReference: "OF-ANOTHER", clientCui: null, total: null };
      foreign.push({ subdomain, order: orderOf({ ...pair, ...others }), epoch: warehouse.epoch, street: null });
    },
    tidy() {
      foreign = [];
    },
    settle() {
      for (const execution of late) execution();
      late = [];
      found = [...made];
    },
    isSettled: () => late.length === 0,
    stalled: async () => await new Promise((resolve) => (hasStalled = resolve)),
    wake() {
      for (const goOn of waking) goOn();
      waking = [];
    },
  };
  return warehouse;
}

function orderOf(
  told: Pick<Order, "externalOrderId" | "externalSource" | "invoiceReference" | "clientCui" | "total">,
): Order {
  return { ...told, orderId: ++orders, orderNumber: null, status: "new", createdAt: null, updatedAt: null };
}

const failures = {
  unknown: { outcome: "unknown", reason: "timeout" },
  throttled: { outcome: "throttled", retryAfterMs: null },
  refused: { outcome: "refused", message: "The warehouse does not want this order." },
  credentials: { outcome: "credentials" },
  unsent: { outcome: "unsent", reason: "connect" },
} as const satisfies Record<string, WarehouseFailure>;
