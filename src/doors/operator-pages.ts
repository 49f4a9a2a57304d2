import { listTenantsPage } from "../people/operators/pages/list-tenants-page.ts";
import { createTenantPage, newTenantPage } from "../people/operators/pages/new-tenant-page.ts";
import {
  askToSuspendPage,
  inviteAdminPage,
  resumeTenantPage,
  suspendTenantPage,
  tenantPage,
} from "../people/operators/pages/tenant-page.ts";
import { operatorPage, signInPage, signInPost } from "../people/sign-in/sign-in-pages.ts";
import type { PageRoute } from "./page-route.ts";

/**
 * A file of its own: pages.ts would have too many lines.
 * The pages of operators, with their permitted visitors.
 */
export const operatorPages: readonly PageRoute[] = [
  { method: "GET", path: "/operator", for: "everybody", page: operatorPage },
  { method: "GET", path: "/operator/sign-in", for: "everybody", page: signInPage },
  { method: "POST", path: "/operator/sign-in", for: "everybody", page: signInPost },
  { method: "GET", path: "/operator/tenants", for: "operators", page: listTenantsPage },
  { method: "POST", path: "/operator/tenants", for: "operators", page: createTenantPage, creates: true },
  { method: "GET", path: "/operator/tenants/new", for: "operators", page: newTenantPage },
  { method: "GET", path: "/operator/tenants/{slug}", for: "operators", page: tenantPage },
  { method: "POST", path: "/operator/tenants/{slug}/admin", for: "operators", page: inviteAdminPage, creates: true },
  { method: "GET", path: "/operator/tenants/{slug}/suspend", for: "operators", page: askToSuspendPage },
  { method: "POST", path: "/operator/tenants/{slug}/suspend", for: "operators", page: suspendTenantPage },
  { method: "POST", path: "/operator/tenants/{slug}/resume", for: "operators", page: resumeTenantPage },
];
