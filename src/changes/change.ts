/**
 * All events: the actions on each type of resource with a history. The database records them under these names
 * (migrations/0002). An invoice is only deleted when the import that created it is undone.
 */
export const events = {
  company: ["created", "updated", "deleted", "restored"],
  contact: ["created", "updated", "deleted", "restored", "erased"],
  address: ["created", "updated", "deleted", "restored"],
  invoice: ["created", "updated", "deleted"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A type of resource with a history. */
export type ChangeType = keyof typeof events;
export const changeTypes = Object.keys(events) as ChangeType[];

/** The event that a change records. */
export type ChangeAction = (typeof events)[ChangeType][number];
export const changeActions: readonly ChangeAction[] = [...new Set(Object.values(events).flat())];

/** The types that the feed can be filtered by. The last two are reserved: no change has them. */
export const followedTypes: readonly string[] = [...changeTypes, "wms_order", "wms"];

/**
 * The history of the workspace itself, which only pages show (docs/decisions/0042-history-of-the-workspace.md).
 * `connection` is a company's connection to its warehouse.
 */
const workspaceTypes = ["connection", "user", "invitation", "api_key", "webhook", "workspace"] as const;

/** All types that the history pages show. */
export type HistoryType = ChangeType | (typeof workspaceTypes)[number];
export const historyTypes: readonly HistoryType[] = [...changeTypes, ...workspaceTypes];
