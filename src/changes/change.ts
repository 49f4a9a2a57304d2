/** A kind of resource that has a history. Its rows come from the database (migrations/0002), which is told these names there. */
export const changeTypes = ["company", "contact", "address", "invoice", "wms_order"] as const;
export type ChangeType = (typeof changeTypes)[number];

/** The types that a follower of the feed may ask for. Nothing has the last two yet: they are reserved. */
export const followedTypes = [...changeTypes, "wms"] as const;

/** The history of the workspace itself, which its pages alone tell (docs/decisions/0042-history-of-the-workspace.md); `connection` is a company's with its warehouse. */
const workspaceTypes = ["connection", "user", "invitation", "api_key", "webhook", "workspace"] as const;

/** All that the pages of the history tell of. */
export const historyTypes = [...changeTypes, ...workspaceTypes] as const;
export type HistoryType = (typeof historyTypes)[number];

/** The event that a change records. `wms`: news from a warehouse system. */
export const changeActions = ["created", "updated", "deleted", "restored", "erased", "wms"] as const;
