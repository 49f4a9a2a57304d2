import { poll } from "../../../program.ts";
import { administer } from "../instance-calls.ts";
import { ordersOf } from "./ledger.ts";
import { browserOf, type Person, type Stage, type Steps } from "./stage.ts";

/**
 * What becomes of orders at the warehouses, and what people say of it. Longer than the pause between two questions
 * about an order.
 */
const HEARD_SECONDS = 12;

type Linked = { id: string; instance: string; orderId: string };

/** Of orders that are followed, whose company is connected where they are, and of which nobody has to say anything. */
const AT_PEACE = `i.wms_state = 'sent' and i.wms_poll_at is not null and i.wms_shown not in ('gone', 'cancelled_there')
  and (warehouse_of_company(i.tenant_id, i.company_id)).subdomain || '.localhost' = i.wms_instance`;

/** One thing after the other: while an order is lost by mistake, nobody sends its invoice again. */
export function questionsOf(stage: Stage, person: Person, stop: AbortSignal): Steps {
  const happens = async (change: object): Promise<Linked | null> => {
    const order = await anyInvoice(stage, person, AT_PEACE);
    if (order !== null) await changeOrder(stage, order, change);
    return order;
  };
  const says = async (what: string, where: string): Promise<boolean> => {
    const invoice = await anyInvoice(stage, person, where);
    if (invoice === null) return false;
    const browser = await browserOf(stage, person);
    return (await browser.post(`/invoices/${invoice.id}/${what}`)).status === 303;
  };
  return {
    "lost there": async () => (await happens({ vanished: true })) !== null,
    "cancelled there": async () => (await happens({ status: "cancelled" })) !== null,
    "lost by mistake, sent again": async () => {
      const order = await happens({ vanished: true });
      if (order === null) return false;
      const { id } = order;
      const isHeard = async () => (await anyInvoice(stage, person, `i.id = ${id} and i.wms_shown = 'gone'`)) !== null;
      try {
        await poll("its loss", async () => stop.aborted || (await isHeard()), HEARD_SECONDS);
      } finally {
        await changeOrder(stage, order, { vanished: false });
      }
      return await says("send-again", `i.id = ${id} and i.wms_shown = 'gone'`);
    },
    "sent again": async () => await says("send-again", "i.wms_shown in ('gone', 'cancelled_there')"),
    "said to be right": async () =>
      await says("settle", "i.wms_shown in ('gone', 'cancelled_there') and i.wms_settled_at is null"),
  };
}

/** The warehouses find what they lost, where nobody had it sent again: each invoice is to have an order in the end. */
export async function findLost(stage: Stage): Promise<void> {
  const orders = await ordersOf(stage);
  const isLost = new Set(orders.filter(({ vanished }) => vanished).map(nameOf));
  for (const person of stage.people) {
    const linked = await invoices(stage, person, "i.wms_order_id is not null");
    for (const order of linked.filter((one) => isLost.has(nameOf(one))))
      await changeOrder(stage, order, { vanished: false });
  }
}

async function anyInvoice(stage: Stage, person: Person, where: string): Promise<Linked | null> {
  return (await invoices(stage, person, `${where} order by random() limit 1`))[0] ?? null;
}

async function invoices({ sql }: Stage, { tenantId }: Person, where: string): Promise<Linked[]> {
  const rows = await sql(
    `select i.id::text, split_part(i.wms_instance, '.', 1) as instance, i.wms_order_id::text as "orderId"
    from invoices i where i.tenant_id = $1 and ${where}`,
    [tenantId],
  );
  return rows as Linked[];
}

function nameOf({ instance, orderId }: { instance: string; orderId: string | number }): string {
  return `${instance} ${orderId}`;
}

async function changeOrder({ simulator }: Stage, { instance, orderId }: Linked, change: object): Promise<void> {
  await administer(simulator, "PUT", `/orders/${instance}/${orderId}`, change);
}
