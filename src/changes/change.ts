/** A kind of resource that has a history. Its rows come from the database (migrations/0008), which is told these names there. */
export const changeTypes = ["company", "contact", "address", "invoice", "wms_order"] as const;
export type ChangeType = (typeof changeTypes)[number];

/** The event that a change records. `wms`: news from a warehouse system. */
export const changeActions = ["created", "updated", "deleted", "restored", "wms"] as const;
