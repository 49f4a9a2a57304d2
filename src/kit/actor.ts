import type { TenantId } from "../platform/postgres/tenant-id.ts";

/**
 * A client or user acting for a tenant, at any door. The code below a door (endpoints, writes, imports) knows the
 * actor, and no keys, sessions or capabilities: those belong to the door.
 */
export type Actor = Readonly<{
  tenant: TenantId;
  /** The country of a company or an address that a create leaves out. */
  country: string;
  by: By;
}>;

/** `id` is that of the API key or of the user; null for the other kinds, which have none. */
export type By = Readonly<{
  kind: "key" | "user" | "command" | "import" | "worker";
  id: string | null;
  /** An assistant with the key (src/doors/agents/). */
  via?: "mcp";
  /** The id of the user who confirmed the assistant's write on the page. */
  confirmedBy?: string;
}>;

/** An actor without an id of its own: a command, an import or the worker. */
export function actingAs(
  kind: Exclude<By["kind"], "key" | "user">,
  { id, country }: { id: TenantId; country: string },
): Actor {
  return { tenant: id, country, by: { kind, id: null } };
}
