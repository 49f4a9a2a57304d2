import assert from "node:assert/strict";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import type { TestServer, TestTenant } from "../../harness.ts";

/** A member of a new tenant. */
export async function memberOf(server: TestServer): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  return { tenant, member: await signedIn(server, tenant) };
}

/** The path of a file's import. As the command line reads: an empty cell empties its field. */
export async function upload(
  member: Member,
  kind: string,
  csv: string | Uint8Array<ArrayBuffer>,
  name = "file.csv",
): Promise<string> {
  const answer = await member.upload("/imports", { kind, clears_empty: "1" }, { [name]: csv });
  assert.equal(answer.status, 303, answer.text);
  assert.match(String(answer.location), /^\/imports\/\d+$/);
  return String(answer.location);
}

/** A file of companies with fiscal ids and phones. */
export const many = (count: number): string =>
  ["name,tax_id,phone", ...Array.from({ length: count }, (_, at) => `Company ${at},T${at},+40 ${at}`)].join("\n");
