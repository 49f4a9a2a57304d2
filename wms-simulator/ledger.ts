import fs from "node:fs";

/** An order as a client sends it (docs/wms.md 3), as far as the simulator looks at it. */
export type OrderIn = {
  external_order_id: string;
  external_source: string;
  invoice_reference?: string | null;
  client_cui?: string | null;
  total?: string | null;
};

/** An order as the contract shows it. */
export type ShownOrder = {
  order_id: number;
  order_number: string;
  status: string;
  external_order_id: string | null;
  external_source: string | null;
  invoice_reference: string | null;
  client_cui: string | null;
  total: string | null;
  created_at: string;
  updated_at: string;
};

/** An order as it is kept. `sent` is the whole document that created it; times are milliseconds since the epoch. */
export type Kept = {
  id: number;
  created: number;
  sent: Partial<OrderIn>;
  /** Set by hand; null: as the time since the creation says. */
  status: string | null;
  changed: number;
  vanished: boolean;
};

export type Instance = {
  orders: Map<number, Kept>;
  byPair: Map<string, Kept[]>;
};

/** One line of the file: an order as it is from then on. */
type Line = { instance: string; order: Kept };

export type Ledger = {
  instance(name: string): Instance;
  instances(): [name: string, instance: Instance][];
  create(name: string, sent: Partial<OrderIn>, now: number): Kept;
  change(name: string, order: Kept, change: Partial<Pick<Kept, "status" | "changed" | "vanished">>): void;
  close(): void;
};

const FIRST_ID = 50_001;

/** @param file where it outlives the process; written before a create is answered. Null: nowhere. */
export function openLedger(file: string | null): Ledger {
  const instances = new Map<string, Instance>();
  const instance = (name: string) => {
    const known = instances.get(name) ?? { orders: new Map<number, Kept>(), byPair: new Map<string, Kept[]>() };
    instances.set(name, known);
    return known;
  };
  if (file !== null) for (const line of linesOf(file)) keep(instance(line.instance), line.order);
  const output = file === null ? null : fs.openSync(file, "a", 0o600);
  const write = (line: Line) => {
    if (output !== null) fs.writeSync(output, `${JSON.stringify(line)}\n`);
  };
  return {
    instance,
    instances: () => [...instances],
    create(name, sent, now) {
      const id = FIRST_ID + instance(name).orders.size;
      const order: Kept = { id, created: now, sent, status: null, changed: now, vanished: false };
      write({ instance: name, order });
      keep(instance(name), order);
      return order;
    },
    change(name, order, change) {
      Object.assign(order, change);
      write({ instance: name, order });
    },
    close() {
      if (output !== null) fs.closeSync(output);
    },
  };
}

export function pairOf({ external_source, external_order_id }: Partial<OrderIn>): string {
  return JSON.stringify([external_source ?? null, external_order_id ?? null]);
}

function keep({ orders, byPair }: Instance, order: Kept): void {
  const known = orders.get(order.id);
  if (known !== undefined) {
    Object.assign(known, order);
    return;
  }
  orders.set(order.id, order);
  const pair = pairOf(order.sent);
  byPair.set(pair, [...(byPair.get(pair) ?? []), order]);
}

/** Without what follows the last line end: a killed simulator answered nobody about it. */
function linesOf(file: string): Line[] {
  if (!fs.existsSync(file)) return [];
  const text = fs.readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  fs.truncateSync(file, Buffer.byteLength(whole));
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
