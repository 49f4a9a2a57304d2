import type { Candidate } from "../candidates/candidates.ts";
import { show, type Scenario } from "../load/scenarios.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { inTurns } from "./in-turns.ts";

const COMPANIES = 64;

/**
 * Look-ups by callers who know the companies as they are (If-None-Match), in turns with the same look-ups by callers
 * who do not.
 */
export async function knownTagFigure(product: Candidate, tenant: SeededTenant): Promise<Figure> {
  const first = show.requests(tenant, 0, 0).slice(0, COMPANIES);
  const unknown: Scenario = { name: "show", requests: () => first };
  const known = await Promise.all(
    first.map(async ({ method, path }) => {
      const look = async (headers: Record<string, string>) =>
        await fetch(`${product.url}${path}`, {
          headers: { authorization: `Bearer ${tenant.token}`, ...headers },
        });
      const headers = { "if-none-match": (await look({})).headers.get("etag") ?? "" };
      const { status } = await look(headers);
      if (status !== 304) throw new Error(`${path} was answered ${status} to a client that has it`);
      return { method, path, headers };
    }),
  );
  const again: Scenario = { name: "show again", requests: () => known };
  const name = "throughput of look-ups of what the caller has (304) / has not (200)";
  return { name, ...(await inTurns(product, tenant, again, unknown)), atLeast: 1 };
}
