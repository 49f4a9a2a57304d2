import type { Deps } from "../deps.ts";

/** Tells whoever starts a server or a worker of a restored database why no order leaves it. */
export async function remarkOnHeldCalls({ areCallsHeld }: Deps): Promise<void> {
  if (!(await areCallsHeld())) return;
  console.log("Calls to others are held, because the database was restored: `liaison resume` lets them go out again.");
}
