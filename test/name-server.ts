import dgram from "node:dgram";
import { once } from "node:events";
import ipaddr from "ipaddr.js";

const QUERY_TYPES: Record<number, "ipv4" | "ipv6"> = { 1: "ipv4", 28: "ipv6" };
const HEADER_BYTES = 12;

export type NameServer = { address: string; asked: string[]; close: () => void };

/**
 * A DNS server on loopback that answers with the addresses that `resolve` gives for a name, and else that there is
 * none.
 */
export async function startNameServer(resolve: (name: string) => string[]): Promise<NameServer> {
  const socket = dgram.createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (query, { address, port }) => {
    const { name, end } = questionOf(query);
    const family = QUERY_TYPES[query.readUInt16BE(end)];
    if (family === "ipv4") asked.push(name);
    const answers = resolve(name).filter((found) => ipaddr.parse(found).kind() === family);
    socket.send(
      Buffer.concat([header(query, answers.length), query.subarray(HEADER_BYTES, end + 4), ...answers.map(record)]),
      port,
      address,
    );
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

function questionOf(query: Buffer): { name: string; end: number } {
  const labels = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}

function header(query: Buffer, answers: number): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(answers, 6);
  // No authorities and no additional records, though the query may have had one.
  header.writeUInt32BE(0, 8);
  return header;
}

/** Of the name in the question (a pointer to byte 12), for no time. */
function record(address: string): Buffer {
  const bytes = ipaddr.parse(address).toByteArray();
  const fixed = Buffer.from([0xc0, HEADER_BYTES, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([fixed, Buffer.from(bytes)]);
}
