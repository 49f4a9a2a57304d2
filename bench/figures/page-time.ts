import { randomBytes } from "node:crypto";
import type pg from "pg";
import { hashToken } from "../../src/platform/token.ts";
import type { Candidate } from "../candidates/candidates.ts";
import { untilIdle } from "../load/before-and-after.ts";
import { median } from "../load/percentiles.ts";
import { SEARCHES } from "../tenants/dataset.ts";
import { fillInvoices } from "../tenants/fill-invoices.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";

const REQUESTS = 60;
const WARM_UP = 20;
/** Milliseconds that a page may take, and one that finds something. */
const GOAL_MS = 20;
const GOAL_OF_FINDING_MS = 50;

/** The time of the main pages, one request after the other, beside that of the API's list. */
export async function pageFigures(
  { url }: Pick<Candidate, "url">,
  owner: pg.Client,
  tenant: SeededTenant,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const cookie = `liaison=${await beginSession(owner, tenant)}`;
  const size = tenant.companies.toLocaleString("en");
  const pages: [name: string, path: string][] = [
    ["page of the list", "/companies"],
    ["page of a search", `/companies?search=${SEARCHES.few}`],
    ["page of a company", `/companies/${tenant.firstCompany}`],
    ["page of the orders to send", "/orders?state=to_send"],
    ["page of all orders", "/orders"],
    ["page of the orders that need somebody", "/orders?state=attention"],
    ["page of the orders under way", "/orders?state=under_way"],
  ];
  const sought: [what: string, typed: string][] = [
    ["two words of few", `${SEARCHES.few} srl`],
    ["a word of a thousand", SEARCHES.thousand],
    ["a word of every one", SEARCHES.every],
    ["a letter wrong", SEARCHES.few.replace("m", "n")],
    ["nothing that is there", `${SEARCHES.none} ${SEARCHES.thousand}`],
    ["two letters", SEARCHES.twoLetters],
    ["a phone", "0722 555 012"],
    ["an invoice", "INV-17"],
    ["what was opened last", ""],
  ];
  const headers = { authorization: `Bearer ${tenant.token}` };
  progress(`invoices of ${size} companies`);
  await fillInvoices(owner, tenant);
  // Rows that an earlier snapshot may not see would be looked up in the table, not in an index alone.
  await untilIdle(owner);
  await owner.query("vacuum analyze invoices");
  progress(`pages, ${size} companies`);
  const figures: Figure[] = [
    { name: `the API's list, ${size} companies`, value: await time(`${url}/api/v1/companies`, headers), unit: "ms" },
  ];
  for (const [name, path] of pages) {
    const value = await time(`${url}${path}`, { cookie, accept: "text/html" });
    figures.push({ name: `${name}, ${size} companies`, value, unit: "ms", atMost: GOAL_MS });
  }
  for (const [what, typed] of sought) {
    const value = await time(`${url}/find?q=${encodeURIComponent(typed)}`, { cookie, accept: "text/html" });
    figures.push({ name: `finding ${what}, ${size} companies`, value, unit: "ms", atMost: GOAL_OF_FINDING_MS });
  }
  return figures;
}

/** The median of the milliseconds until an answer is there whole. */
export async function time(address: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let request = 0; request < WARM_UP + REQUESTS; request++) {
    const began = performance.now();
    const answer = await fetch(address, { headers, redirect: "manual" });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
    if (request >= WARM_UP) times.push(performance.now() - began);
  }
  return median(times);
}

/** Returns the token of a new session of the first user. */
export async function beginSession(owner: pg.Client, { id, users }: SeededTenant): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await owner.query(
    `insert into sessions (tenant_id, user_id, token_hash, tenant_epoch, user_epoch, awaits_code, address, user_agent,
       created_at, last_seen_at)
     select $1, id, $3, 0, session_epoch, false, '', 'bench', now(), now() from users where tenant_id = $1 and id = $2`,
    [id, users[0], hashToken(token)],
  );
  return token;
}
