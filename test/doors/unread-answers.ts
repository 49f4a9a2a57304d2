import assert from "node:assert/strict";
import net from "node:net";
import type { TestServer, TestTenant } from "../harness.ts";
import type { Visitor } from "./pages/visitor.ts";

/** Clients that do not take what leaves the server, and rows as long as they may be. */

export const LONG = 65_535;

/** Doors that refuse here: there is no mail, no provider and no passkey to answer, and /mcp has no GET. */
const REFUSING_DOORS = /^\/(?:sign-in\/.|digest\/|mcp|workspace\/sign-in\/|profile\/passkeys)/;

/**
 * Asks, and takes no more of the answer than its beginning.
 * @param refused hears the beginning of an answer that is an error; without it that ends the test
 */
export function askWithoutReading(
  url: string,
  path: string,
  headers: string[],
  refused: (text: string) => void = (text) => assert.fail(`${path}: ${text}`),
): { socket: net.Socket; hasHeard: () => boolean; isInParts: () => boolean } {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname).on("error", () => {});
  let hasHeard = false;
  let isInParts = false;
  socket.once("data", (data) => {
    const good = REFUSING_DOORS.test(path) ? /^HTTP\/1.1 [234]/ : /^HTTP\/1.1 [23]/;
    if (!good.test(data.toString())) return refused(data.toString().slice(0, 2_000));
    hasHeard = true;
    isInParts = /^transfer-encoding: chunked/im.test(data.toString());
    socket.pause();
  });
  socket.write(`${[`GET ${path} HTTP/1.1`, "Host: a", ...headers].join("\r\n")}\r\n\r\n`);
  return { socket, hasHeard: () => hasHeard, isInParts: () => isInParts };
}

export function cookiesOf({ cookies }: Visitor): string {
  return `Cookie: ${Array.from(cookies, ([name, value]) => `${name}=${value}`).join("; ")}`;
}

/** The id in the first row of what SQL returns. */
export async function idFrom(server: TestServer, text: string, ...parameters: unknown[]): Promise<string> {
  return String((await server.sql(text, parameters))[0]?.id);
}

/** The first of a tenant's companies, all of which are as long as they may be. */
export async function withLongCompanies(server: TestServer, tenant: TestTenant): Promise<string> {
  return await idFrom(
    server,
    `with made as (
      insert into companies (tenant_id, name, country, notes, delivery_notes)
      select $1, 'Company ' || n, 'Romania', repeat('ș', $2), repeat('ț', $2) from generate_series(1, 200) n returning id
    ) select min(id) as id from made`,
    tenant.id,
    LONG,
  );
}
