/** What has a history. Its rows come from the database (migrations/0008), which is told these names there. */
export const changeTypes = ["company", "contact", "address", "invoice", "wms_order"] as const;
export type ChangeType = (typeof changeTypes)[number];

/** What may have happened to it. `wms`: what a warehouse system said of it. */
export const changeActions = ["created", "updated", "deleted", "restored", "wms"] as const;
