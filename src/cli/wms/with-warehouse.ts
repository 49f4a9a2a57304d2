import { findDemoWarehouse } from "../../operation/demo/demo-warehouse.ts";
import { isDemo } from "../../people/sign-in/demo-sign-in.ts";
import type { TenantWork } from "../arguments.ts";

/** The work with the tenant's warehouses: for the demo also the one that its running server has beside it. */
export function withWarehouse(work: TenantWork): TenantWork {
  return async (deps, tenant, invocation) => {
    const found = isDemo(tenant) ? await findDemoWarehouse(deps, tenant.id) : null;
    try {
      return await work({ ...deps, ...found?.ofOneTenant }, tenant, invocation);
    } finally {
      await found?.close();
    }
  };
}
