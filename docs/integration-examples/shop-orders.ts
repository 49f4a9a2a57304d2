// Receives the events of warehouse orders for a webshop, and keeps the state of each order in an SQLite file.
//
//   SECRET=whsec_... PORT=8080 node shop-orders.ts shop.db
//
// Node 24 or later, nothing else. The webhook has the types invoice.order_created, order_moved, order_final,
// order_cancelled and order_lost; its secret is shown when it is created. On a developer's machine, `liaison listen`
// sends the same messages. A message may arrive twice, and the program may be killed at any moment: the id of a message
// and its effect are committed together, before the answer.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { DatabaseSync } from "node:sqlite";

const key = Buffer.from(String(process.env.SECRET).slice("whsec_".length), "base64");
const MOST_BYTES = 1024 * 1024;
/** An older message may be a copy that somebody sends again. */
const MOST_SECONDS = 300;

type Order = { order_id: number | null; order_number: string | null; status: string | null; previous: string | null };
type Message = { type: string; data: { resource_id: number; order?: Order } };

const shop = new DatabaseSync(process.argv[2] ?? "shop.db", { timeout: 5_000 });
shop.exec(`pragma journal_mode = wal;
  create table if not exists messages (id text primary key, type text not null);
  create table if not exists orders (
    invoice integer primary key, order_id integer, order_number text, status text, event text not null)`);

createServer((request, response) => {
  void answer(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));

/** The status of the answer: 204 once the message is stored. After any other, the message is sent again. */
async function answer(request: IncomingMessage): Promise<number> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return 413;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (!isGenuine(request.headers, text)) return 401;
  receive(String(request.headers["webhook-id"]), JSON.parse(text) as Message);
  return 204;
}

/** Whether one of the signatures is that of the secret, over the bytes as they arrived, and recent. */
function isGenuine(headers: IncomingHttpHeaders, text: string): boolean {
  const [id, sent, signatures] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`]));
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) <= MOST_SECONDS)) return false;
  const ours = Buffer.from(`v1,${createHmac("sha256", key).update(`${id}.${sent}.${text}`).digest("base64")}`);
  // While a secret is replaced, there are two.
  return String(signatures)
    .split(" ")
    .map((each) => Buffer.from(each))
    .some((each) => each.length === ours.length && timingSafeEqual(each, ours));
}

/** Stores a message and its effect, once. */
function receive(id: string, { type, data }: Message): void {
  shop.exec("begin immediate");
  try {
    const isNew = shop.prepare("insert or ignore into messages values (?, ?)").run(id, type).changes === 1;
    if (isNew && data.order !== undefined) keep(data.resource_id, type, data.order);
    shop.exec("commit");
    if (isNew) console.log(type, data.resource_id ?? "", data.order?.status ?? "");
  } catch (error) {
    shop.exec("rollback");
    throw error;
  }
}

/** The events of one invoice arrive in their order, so the last one holds. */
function keep(invoice: number, event: string, { order_id: id, order_number: number, status }: Order): void {
  const insert = shop.prepare("insert or replace into orders values (?, ?, ?, ?, ?)");
  insert.run(invoice, id, number, status, event);
}
