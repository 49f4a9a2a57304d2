import type { Database } from "./database.ts";
import type { Call } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/** Rows of a step: so few that their locks are held for milliseconds. */
const AT_ONCE = 1_000;

/**
 * Writes to a tenant's rows, however many, in transactions of few each, until one has fewer. The statement takes their number as its last
 * parameter, and returns a row for each. Throws the signal's reason between two.
 */
export async function inSteps(
  tenant: TenantId,
  database: Pick<Database, "write">,
  { statement, parameters }: Pick<Call, "statement" | "parameters">,
  stop?: AbortSignal,
): Promise<void> {
  const step = { statement, parameters: [...parameters, AT_ONCE] };
  for (;;) {
    const [rows = []] = await database.write(tenant, [step]);
    if (rows.length < AT_ONCE) return;
    stop?.throwIfAborted();
  }
}
