import type { TenantId } from "./platform/postgres/tenant-id.ts";

/**
 * Somebody who acts for a tenant, whatever door it came through. The code behind a door (endpoints, writes, imports)
 * knows the actor and nothing of keys, sessions or capabilities: those are the door's own.
 */
export type Actor = Readonly<{
  tenant: TenantId;
  /** The country of a company or an address that a create leaves out. */
  country: string;
  by: By;
}>;

/** `id` is that of the API key or of the user; null for the others, which have none. */
export type By = Readonly<{ kind: "key" | "user" | "command" | "import" | "worker"; id: string | null }>;

/** An actor without an id of its own: a command, an import or the worker. */
export function actingAs(
  kind: Exclude<By["kind"], "key" | "user">,
  { id, country }: { id: TenantId; country: string },
): Actor {
  return { tenant: id, country, by: { kind, id: null } };
}
