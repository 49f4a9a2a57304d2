import type { Database } from "./database.ts";
import type { Call } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

/** Rows per step: few enough that their locks last only milliseconds. */
const AT_ONCE = 1_000;

/**
 * Writes any number of a tenant's rows in transactions of AT_ONCE rows, until one transaction has fewer. The statement
 * gets that number as its last parameter and returns a row for each. Throws the signal's reason between two steps.
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
