import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** A session ends after this idle time. */
export const SESSION_IDLE_MS = 12 * 60 * 60_000;

/** The first page of a person of this workspace; operators have one with an empty slug. */
export function homeOf(workspace: string): "/operator/tenants" | "/today" {
  return workspace === "" ? "/operator/tenants" : "/today";
}

/** Where a person of this workspace signs in. */
export function doorOf(workspace: string | undefined): "/operator/sign-in" | "/sign-in" {
  return workspace === "" ? "/operator/sign-in" : "/sign-in";
}

export type Role = "admin" | "member";

/** A signed-in user: all that a page knows of the person. sessions/ finds it. */
export type Session = {
  id: string;
  tenant: TenantId;
  workspace: { slug: string; name: string; country: string; timeZone: string };
  user: {
    id: string;
    name: string;
    email: string;
    /** Operators are the users of the installation's own workspace, and its only ones. */
    role: Role | "operator";
    mayExport: boolean;
    /** Null: the browser's language. */
    language: "en" | "ro" | null;
    theme: "light" | "dark" | "system";
  };
  /** The password was right, but the second factor is still missing: the session only allows entering its code. */
  awaitsCode: boolean;
};
