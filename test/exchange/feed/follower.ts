import assert from "node:assert/strict";
import type { TestTenant } from "../../harness.ts";

/** A change, as far as these tests look at it. */
export type Told = {
  id: number;
  at: string;
  type: string;
  resource_id: number;
  action: string;
  changed: Record<string, { from?: unknown; to?: unknown }>;
};

export type Page = { data: Told[]; next: string; more: boolean };

/** A page of a tenant's feed. */
export async function page(tenant: TestTenant, query: Record<string, string> = {}): Promise<Page> {
  const answer = await tenant.get(`/api/v1/changes?${new URLSearchParams(query).toString()}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Page;
}

/** Follows a tenant's feed until it is stopped; resolves then with all that it has told. */
export function keepFollowing(tenant: TestTenant): () => Promise<Told[]> {
  let isOver = false;
  const heard = (async () => {
    const all: Told[] = [];
    for (let next = "", isLast = false; !isLast;) {
      isLast = isOver;
      const { told, ...rest } = await readOn(tenant, next, isLast ? {} : { wait: "1" });
      all.push(...told);
      next = rest.next;
    }
    return all;
  })();
  return async () => {
    isOver = true;
    return await heard;
  };
}

/** All that a feed has behind a cursor, and the cursor behind it. */
export async function readOn(
  tenant: TestTenant,
  after = "",
  query: Record<string, string> = {},
): Promise<{ told: Told[]; next: string }> {
  const told: Told[] = [];
  for (let next = after; ;) {
    const { data, more, ...rest } = await page(tenant, { ...query, after: next });
    told.push(...data);
    next = rest.next;
    if (!more) return { told, next };
  }
}
