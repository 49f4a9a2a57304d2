import { request } from "../../../harness.ts";
import { poll } from "../../../program.ts";
import { administer } from "../instance-calls.ts";
import { ordersOf } from "./ledger.ts";
import { browserOf, type Person, type Stage, type Steps } from "./stage.ts";

/**
 * What becomes of orders at the warehouses, and what people say of it. Longer than the pause between two questions
 * about an order.
 */
const HEARD_SECONDS = 12;

/** Of invoices that are cancelled although their order is not. */
const HERE = "i.wms_shown in ('cancelled_here', 'shipped_cancelled')";

type Linked = { id: string; instance: string; orderId: string };

/** What the list of orders that need attention does not show, although the goods of a cancelled invoice go on. */
const UNSEEN = "i.status = 'cancelled' and (i.wms_shown like 'open:%' or i.wms_shown like 'final:%')";

/** Of orders that are followed, whose company is connected where they are, and of which nobody has to say anything. */
const AT_PEACE = `i.wms_state = 'sent' and i.wms_poll_at is not null and i.wms_shown not in ('gone', 'cancelled_there')
  and i.status <> 'cancelled'
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
  const writes = async (method: string, path: string, where: string, body?: object): Promise<boolean> => {
    const invoice = await anyInvoice(stage, person, where);
    if (invoice === null) return false;
    const { url } = await stage.server.current();
    const at = `/api/v1/invoices/${invoice.id}${path}`;
    return (await request(url, method, at, body, { token: person.token })).status < 300;
  };
  const change = async (where: string, status: string) => await writes("PUT", "", where, { status });
  return {
    "cancelled here": async () => await change(AT_PEACE, "cancelled"),
    "cancelled here and there": async () =>
      (await change(AT_PEACE, "cancelled")) && (await writes("POST", "/wms-order/cancel", HERE)),
    reopened: async () => await change("i.status = 'cancelled'", "issued"),
    accepted: async () => await says("settle", `${HERE} and i.wms_settled_at is null`),
    "accepted, taken back": async () => await says("unsettle", `${HERE} and i.wms_settled_at is not null`),
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

/**
 * The cancelled invoices whose goods go on, as the warehouses have it, and that no list of needs shows. Then they are
 * reopened: each invoice is to have an order in the end.
 */
export async function reopenCancelled(stage: Stage): Promise<number> {
  const orders = new Map((await ordersOf(stage)).map((order) => [nameOf(order), order]));
  let unseen = 0;
  for (const person of stage.people) {
    for (const order of await invoices(stage, person, "i.status = 'cancelled' and i.wms_order_id is not null")) {
      const there = orders.get(nameOf(order));
      const goesOn = there !== undefined && !there.vanished && there.status !== "cancelled";
      const isShown = `i.id = ${order.id} and (i.wms_needs_at is not null or i.wms_settled_at is not null)`;
      if (goesOn && (await anyInvoice(stage, person, isShown)) === null) unseen++;
    }
    unseen += (await invoices(stage, person, UNSEEN)).length;
    for (const { id } of await invoices(stage, person, "i.status = 'cancelled'")) {
      await poll(`the invoice ${id} again`, async () => {
        const { url } = await stage.server.current();
        const { token } = person;
        const answer = await request(url, "PUT", `/api/v1/invoices/${id}`, { status: "issued" }, { token }).catch(
          () => null,
        );
        return answer?.status === 200;
      });
    }
  }
  return unseen;
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
