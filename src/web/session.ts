import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** A session that nobody uses for so long has ended. */
export const SESSION_IDLE_MS = 12 * 60 * 60_000;

export type Role = "admin" | "member";

/** Somebody who has signed in, and where: all that a page knows of them. sessions/ finds it. */
export type Session = {
  id: string;
  tenant: TenantId;
  workspace: { slug: string; name: string; country: string; timeZone: string };
  user: {
    id: string;
    name: string;
    email: string;
    role: Role;
    /** Null: as the browser asks. */
    language: "en" | "ro" | null;
    theme: "light" | "dark" | "system";
  };
  /** The password was right, and the second factor is yet to be asked: nothing but that may be done with it. */
  awaitsCode: boolean;
};

/** The same of one of the installation's own people, who belongs to no tenant. operators/ finds it. */
export type OperatorSession = {
  id: string;
  operator: { id: string; email: string; name: string };
  /** As a user's. */
  awaitsCode: boolean;
};
