import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** A session ends after this idle time. */
export const SESSION_IDLE_MS = 12 * 60 * 60_000;

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
    role: Role;
    /** Null: the browser's language. */
    language: "en" | "ro" | null;
    theme: "light" | "dark" | "system";
  };
  /** The password was right, but the second factor is still missing: the session only allows entering its code. */
  awaitsCode: boolean;
};

/** A signed-in operator of the installation, who belongs to no tenant. operators/ finds it. */
export type OperatorSession = {
  id: string;
  operator: { id: string; email: string; name: string };
  /** As in Session. */
  awaitsCode: boolean;
};
