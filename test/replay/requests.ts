import { sendBodies, sendFields } from "./bodies.ts";
import { sendToDoors } from "./doors.ts";
import { API, type Made } from "./known-data.ts";
import { sendLists, sendReads } from "./reads.ts";
import type { Send } from "./recorder.ts";
import { walk } from "./walk.ts";
import { sendWebhooks } from "./webhooks.ts";
import { sendBatches, sendConflictsAndRemovals, sendRepeated, sendTags } from "./writes.ts";

/** Sends all requests, in an order and with contents that are the same each time. */
export async function sendAll(send: Send): Promise<void> {
  await sendToDoors(send);
  const made = await make(send);
  await sendFields(send, made);
  await sendBodies(send, made);
  await sendLists(send, made);
  await sendReads(send);
  await sendConflictsAndRemovals(send, made);
  await sendTags(send, made);
  await sendRepeated(send, made);
  await sendBatches(send);
  await sendWebhooks(send);
  for (let n = 0; n < 6; n++) await send("GET", `${API}/companies?per_page=1`, { token: "slow" });
  await walk(send);
  for (let [next, more] = ["", true]; more;) {
    const { body } = await send("GET", `${API}/changes?limit=1000${next === "" ? "" : `&after=${next}`}`);
    [next, more] = [String(body.next), body.more === true];
  }
}

async function make(send: Send): Promise<Made> {
  const post = async (path: string, body: object) => (await send("POST", API + path, { body })).body.data.id as number;
  const company = await post("/companies", { name: "Base SRL", tax_id: "ROBASE" });
  const at = `/companies/${company}`;
  return {
    company,
    contact: await post(`${at}/contacts`, { first_name: "A", last_name: "B" }),
    address: await post(`${at}/addresses`, { address: "Str 1" }),
    invoice: await post(`${at}/invoices`, {
      number: "B-1",
      lines: [{ description: "d", quantity: 1, unit_price: "2" }],
    }),
  };
}
