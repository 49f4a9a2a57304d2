import { listTenantsPage } from "../operators/pages/list-tenants-page.ts";
import { createTenantPage, newTenantPage } from "../operators/pages/new-tenant-page.ts";
import { operatorFactorPages } from "../operators/pages/operator-factor-pages.ts";
import { operatorPasskeyDoorPages, operatorPasskeyPages } from "../operators/pages/operator-passkey-pages.ts";
import { operatorProfilePage } from "../operators/pages/operator-profile-page.ts";
import { operatorDoorPages, operatorHomePage } from "../operators/pages/operator-sign-in-pages.ts";
import { askToSuspendPage, resumeTenantPage, suspendTenantPage, tenantPage } from "../operators/pages/tenant-page.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of operators, with their permitted visitors (pages.ts). */
export const operatorPages: readonly PageRoute[] = [
  { method: "GET", path: "/operator", for: "everybody", page: operatorHomePage },
  { method: "GET", path: "/operator/sign-in", for: "everybody", page: operatorDoorPages.signInPage },
  { method: "POST", path: "/operator/sign-in", for: "everybody", page: operatorDoorPages.signInPost },
  { method: "GET", path: "/operator/sign-in/code", for: "everybody", page: operatorDoorPages.codePage },
  { method: "POST", path: "/operator/sign-in/code", for: "everybody", page: operatorDoorPages.codePost },
  { method: "POST", path: "/operator/sign-out", for: "everybody", page: operatorDoorPages.signOutPost },
  { method: "GET", path: "/operator/sign-in/passkey", for: "everybody", page: operatorPasskeyDoorPages.passkeyPage },
  { method: "POST", path: "/operator/sign-in/passkey", for: "everybody", page: operatorPasskeyDoorPages.passkeyPost },
  {
    method: "POST",
    path: "/operator/sign-in/passkey/account",
    for: "everybody",
    page: operatorPasskeyDoorPages.nameAccountPost,
  },
  { method: "GET", path: "/operator/profile", for: "operators", page: operatorProfilePage },
  { method: "GET", path: "/operator/passkeys", for: "operators", page: operatorPasskeyPages.newPasskeyPage },
  { method: "POST", path: "/operator/passkeys", for: "operators", page: operatorPasskeyPages.beginPasskeyPost },
  { method: "POST", path: "/operator/passkeys/add", for: "operators", page: operatorPasskeyPages.addPasskeyPost },
  {
    method: "GET",
    path: "/operator/passkeys/{id}/remove",
    for: "operators",
    page: operatorPasskeyPages.askToRemovePasskeyPage,
  },
  {
    method: "POST",
    path: "/operator/passkeys/{id}/remove",
    for: "operators",
    page: operatorPasskeyPages.removePasskeyPost,
  },
  { method: "GET", path: "/operator/second-factor", for: "operators", page: operatorFactorPages.secondFactorPage },
  { method: "POST", path: "/operator/second-factor", for: "operators", page: operatorFactorPages.beginFactorPost },
  {
    method: "POST",
    path: "/operator/second-factor/confirm",
    for: "operators",
    page: operatorFactorPages.confirmFactorPost,
  },
  { method: "POST", path: "/operator/second-factor/end", for: "operators", page: operatorFactorPages.endFactorPost },
  { method: "GET", path: "/operator/tenants", for: "operators", page: listTenantsPage },
  { method: "POST", path: "/operator/tenants", for: "operators", page: createTenantPage },
  { method: "GET", path: "/operator/tenants/new", for: "operators", page: newTenantPage },
  { method: "GET", path: "/operator/tenants/{slug}", for: "operators", page: tenantPage },
  { method: "GET", path: "/operator/tenants/{slug}/suspend", for: "operators", page: askToSuspendPage },
  { method: "POST", path: "/operator/tenants/{slug}/suspend", for: "operators", page: suspendTenantPage },
  { method: "POST", path: "/operator/tenants/{slug}/resume", for: "operators", page: resumeTenantPage },
];
