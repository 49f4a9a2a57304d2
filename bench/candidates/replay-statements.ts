import fs from "node:fs";
import type { Socket } from "node:net";
import pg from "pg";
import type { Binding, Template, Unit } from "./record-statements.ts";

// What the ideal server and the limit have in common: the product's statements, each request's in a transaction of its
// own.

/** By templateKey. */
export function readTemplates(file: string): Record<string, Template> {
  return JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, Template>;
}

/** The values of one request. */
export type Values = (bound: Binding) => unknown;

export function valuesOf(path: string, body: string): Values {
  const id = /\/(\d+)/.exec(path)?.[1];
  const members = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
  return function valueOf(bound): unknown {
    switch (bound.from) {
      case "id":
        return id;
      case "body":
        return members[bound.member];
      case "constant":
        return bound.value;
      case "entry":
        return JSON.stringify([
          Object.fromEntries(Object.entries(bound.members).map(([name, from]) => [name, valueOf(from)])),
        ]);
    }
  };
}

/** The whole transaction in one write: both walls, the statements, the commit. */
export async function replayUnit(
  client: pg.Client,
  { lane, calls }: Unit,
  value: Values,
): Promise<pg.QueryArrayResult<string[]>[]> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  const isolation = lane === "write" ? "" : " isolation level repeatable read read only";
  const tenant = String(value(calls[0]?.parameters[0] as Binding));
  return await new Promise((resolve, reject) => {
    const results: pg.QueryArrayResult<string[]>[] = [];
    stream.cork();
    client.query(`begin${isolation};set local app.tenant_id = '${tenant}'`, ignore);
    for (const { name, text, parameters } of calls) {
      const query = { name, text, values: parameters.map(value), rowMode: "array" as const };
      client.query(query, (error: Error | null, result: pg.QueryArrayResult<string[]>) => {
        if (error === null) results.push(result);
        else reject(error);
      });
    }
    client.query("commit", () => resolve(results));
    process.nextTick(() => stream.uncork());
  });
}

/** @param connection a pg.ClientConfig as JSON */
export async function connectMany(connection: string, count: number): Promise<pg.Client[]> {
  const options =
    "-c role=liaison_app -c timezone=UTC -c datestyle=ISO -c jit=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off";
  const types = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig;
  const config = { ...(JSON.parse(connection) as pg.ClientConfig), options, types, pipeline: true };
  const clients = Array.from({ length: count }, () => new pg.Client(config));
  for (const client of clients) client.on("error", ignore);
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
}

function ignore(): void {}
