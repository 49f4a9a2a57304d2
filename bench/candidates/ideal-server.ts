import { createServer } from "node:http";
import type pg from "pg";
import type { Unit } from "./record-statements.ts";
import { connectMany, readTemplates, replayUnit, valuesOf, type Values } from "./replay-statements.ts";

// The ideal server: bare node:http and pg's pipelining, the product's own statements in the same transactions with both
// tenancy walls, and nothing else: no authentication, validation, encryption, rate limit, logging, errors.
// argv: connection (JSON), file of templates, port.
const [connection = "", file = "", port = ""] = process.argv.slice(2);
const templates = readTemplates(file);
const lanes = {
  quick: await connectMany(connection, 2),
  slow: await connectMany(connection, 4),
  write: await connectMany(connection, 4),
};
/** Types whose text is JSON as it is: integers and json. */
const BARE_KINDS = new Set([20, 21, 23, 114, 3802]);

createServer((request, response) => {
  const { method, url = "", headers } = request;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => void answer());
  async function answer(): Promise<void> {
    const template = templates[`${headers.authorization?.slice(7)} ${method} ${url.replace(/\/\d+/, "/{id}")}`];
    const values = valuesOf(url, chunks.length === 0 ? "" : Buffer.concat(chunks).toString());
    const results: string[] = [];
    let status = template === undefined && url !== "/health" ? 404 : 200;
    try {
      for (const unit of template?.units ?? []) results.push(...(await run(unit, values)));
    } catch {
      // What a round left behind is cancelled after it.
      status = 500;
    }
    response
      .writeHead(status, { "content-type": "application/json; charset=utf-8" })
      .end(`{"data":[${results.join(",")}]}`);
  }
}).listen(Number(port), "127.0.0.1");

async function run(unit: Unit, values: Values): Promise<string[]> {
  const client = lanes[unit.lane].shift() as pg.Client;
  lanes[unit.lane].push(client);
  return (await replayUnit(client, unit, values)).map(toJson);
}

function toJson({ rows, fields }: pg.QueryArrayResult<string[]>): string {
  const keys = fields.map(({ name }) => `"${name}":`);
  const bare = fields.map(({ dataTypeID }) => BARE_KINDS.has(dataTypeID));
  const member = (text: string | null, i: number) =>
    `${keys[i]}${bare[i] === true || text === null ? String(text) : JSON.stringify(text)}`;
  return `[${rows.map((row) => `{${row.map(member).join(",")}}`).join(",")}]`;
}
