import assert from "node:assert/strict";
import type { Deps } from "../../../src/kit/deps.ts";
import { revokeApiKey } from "../../../src/people/api-keys/api-key-queries.ts";
import type { Capability } from "../../../src/people/api-keys/capability.ts";
import { createApiKey } from "../../../src/people/api-keys/create-api-key.ts";
import { insertOperator } from "../../../src/people/operators/operator-queries.ts";
import {
  createInstallation,
  createWorkspace,
  HASH_OF_PROGRAM,
  requester,
  type Installation,
} from "../../cli/installation.ts";
import { PASSWORD, visitor } from "../../doors/pages/visitor.ts";
import { unlimited, type Answer } from "../../harness.ts";

export type Seeded = Installation & {
  url: string;
  tokens: string[];
  /** Requests by the first tenant's token. */
  api: (method: string, path: string, body?: unknown) => Promise<Answer>;
};

const CAPABILITIES: Capability[] = ["companies:write", "contacts:write", "addresses:write", "invoices:write"];
/**
 * Text that COPY writes otherwise than it stands: tabs, line ends, backslashes, its own word for null; and none of
 * ASCII.
 */
const AWKWARD = "a\tb\\N\\.\r\n\\ «ș» 🙂";

/** An installation that serves two tenants with some of everything that the API and the command line write. */
export async function createSeeded(environment: Record<string, string> = {}): Promise<Seeded> {
  const installation = await createInstallation();
  Object.assign(installation.environment, environment);
  const tokens = await installation.prepare(createAccounts);
  const url = await installation.serve();
  for (const token of tokens) await seed(requester(url, token));
  return { ...installation, url, tokens, api: requester(url, tokens[0] ?? "") };
}

/** What commands make. Returns a token of each tenant's. */
async function createAccounts(deps: Deps): Promise<string[]> {
  const { database } = deps;
  const tokens: string[] = [];
  await insertOperator(database, { email: "op@example.com", name: "Op", passwordHash: HASH_OF_PROGRAM });
  for (const slug of ["acme", "other"]) {
    const { id, token } = await createWorkspace(deps, slug, CAPABILITIES);
    tokens.push(token);
    const key = { name: "Old", capabilities: CAPABILITIES, ...unlimited };
    const old = await createApiKey(id, database, slug, key);
    await revokeApiKey(id, database, String(old.id), "command");
  }
  return tokens;
}

async function seed(api: Seeded["api"]): Promise<void> {
  for (let n = 0; n < 12; n++) {
    const made = await api("POST", "/api/v1/companies", {
      name: `Firm ${n}`,
      tax_id: `RO${n}`,
      phone: `+40 21 ${n}`,
      notes: AWKWARD,
      metadata: { n, deep: [AWKWARD] },
      status: n % 2 === 0 ? "active" : "prospect",
    });
    const path = `/api/v1/companies/${made.body.data.id}`;
    await api("POST", `${path}/contacts`, { first_name: "Ion", last_name: `Pop ${n}`, mobile: `07${n}` });
    await api("POST", `${path}/addresses`, { address: AWKWARD, type: "delivery" });
    await api("POST", `${path}/invoices`, {
      number: `F-${n}`,
      total: "12.50",
      currency: "RON",
      lines: [{ description: AWKWARD, quantity: "1.0", unit_price: "12.50" }],
    });
    await api("PUT", path, { city: "Turda" });
    if (n % 5 === 4)
      await api("POST", "/api/v1/companies", { name: "Gone" }).then(({ body }) =>
        api("DELETE", `/api/v1/companies/${body.data.id}`),
      );
  }
}

/**
 * The path of the invoices of a new company of the first tenant's, which sends them by itself. So do the companies that
 * use the workspace's connection.
 */
export async function connectedInvoices({ url, api }: Seeded, instance: string): Promise<string> {
  const { body } = await api("POST", "/api/v1/companies", { name: instance, tax_id: "RO77" });
  const browser = visitor({ url });
  await browser.post("/sign-in", { workspace: "acme", email: "ana@example.com", password: PASSWORD });
  const form = { wms_subdomain: instance, wms_api_key: "key-0123456789", send_automatically: "1" };
  const answer = await browser.post(`/companies/${body.data.id}/warehouse`, form);
  assert.equal(answer.status, 303, answer.text);
  const workspace = { wms_subdomain: "south", wms_api_key: "key-9876543210", send_automatically: "1" };
  assert.equal((await browser.post("/workspace/warehouses", workspace)).status, 303);
  return `/api/v1/companies/${body.data.id}/invoices`;
}

/** Every list of a tenant's, and what is behind its rows, as the API answers them. */
export async function answersOf(url: string, token: string): Promise<string[]> {
  const get = requester(url, token);
  const lists = await get("GET", "/api/v1/companies?per_page=100&sort=id");
  const answers = [lists.text];
  for (const { id } of lists.body.data as { id: number }[]) {
    for (const part of ["", "/contacts", "/addresses", "/invoices", "/history"]) {
      const { status, text } = await get("GET", `/api/v1/companies/${id}${part}`);
      if (status !== 200) throw new Error(`${part}: ${status} ${text}`);
      answers.push(text);
    }
  }
  return answers.map((text) => text.replaceAll(url, ""));
}
