import { randomUUID } from "node:crypto";
import type { TestTenant } from "../../harness.ts";
import { rawCall } from "../agents/clients.ts";
import { makeResources } from "../agents/every-tool.ts";
import type { PageCase } from "./page-case.ts";

/** The path of a request that waits, and its rest. */
export const waiting = (rest: string) => async (tenant: TestTenant) => {
  const { company, etag } = await makeResources(tenant);
  const { token } = await tenant.createKey({ confirmsOnPage: true });
  const given = { request_id: randomUUID(), id: company, etag };
  const { headers, message } = rawCall("tools/call", { name: "delete_company", arguments: given });
  const { text } = await tenant.post("/mcp", message, { token, headers });
  return `/agents/pending/${/#request-(\d+)/.exec(text)?.[1] ?? ""}${rest}`;
};

/** The rows of the pages of assistants' requests. */
export const pendingCases: readonly PageCase[] = [
  { page: "GET /agents/pending" },
  { page: "GET /agents/pending/{id}", of: waiting("") },
  { page: "POST /agents/pending/{id}/confirm", of: waiting("/confirm") },
  { page: "POST /agents/pending/{id}/decline", of: waiting("/decline") },
];
