import type { Deps } from "../../kit/deps.ts";
import type { VisitorRequest } from "../../kit/web/page.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { signInWithout, type SignedIn } from "../sessions/sign-in-by-password.ts";
import type { AttemptOrigin } from "../sessions/subjects.ts";
import { findTenant, type Tenant } from "../tenants/tenant-queries.ts";
import { findByEmail } from "../users/sign-in-queries.ts";

/** The tenant of the demo, and the admin whom a visitor becomes. */
export const demoTenant = { slug: "demo", name: "Demo Distribuție SRL", country: "Romania" };

export const demoAdmin = { email: "andreea.munteanu@demo.example", name: "Andreea Munteanu", role: "admin" };

/** Whether a visitor may enter the demo without its password: from this machine itself, and nowhere else. */
export async function mayEnterDemo(
  { config, database }: Pick<Deps, "config" | "database">,
  { isFromLoopback }: Pick<VisitorRequest, "isFromLoopback">,
): Promise<boolean> {
  return config.demo && isFromLoopback && (await findDemoAdmin(database)) !== null;
}

/** Signs in to the demo as its admin. A second factor is still asked for. */
export async function enterDemo(deps: Deps, attempt: AttemptOrigin & { userAgent: string }): Promise<SignedIn> {
  return await signInWithout(deps, { ...attempt, workspace: demoTenant.slug, email: demoAdmin.email });
}

/** The admin of the demo tenant; null if a tenant of that slug is not the demo. */
async function findDemoAdmin(database: Database) {
  const tenant = await findTenant(database, demoTenant.slug);
  if (tenant === null || !isDemo(tenant) || tenant.suspendedAt !== null) return null;
  const admin = await findByEmail(tenant.id, database, demoAdmin.email);
  return admin?.isDeactivated === false ? admin : null;
}

/** Whether a tenant has the demo's slug and name. */
export function isDemo({ slug, name }: Tenant): boolean {
  return slug === demoTenant.slug && name === demoTenant.name;
}
