/**
 * All events: the actions on each type of resource with a history. The database records them under these names
 * (migrations/0002). An invoice is only deleted when the import that created it is undone.
 */
export const events = {
  company: ["created", "updated", "deleted", "merged", "restored"],
  contact: ["created", "updated", "deleted", "merged", "restored", "erased"],
  address: ["created", "updated", "deleted", "restored"],
  invoice: ["created", "updated", "deleted"],
  payment: ["created", "updated", "deleted"],
  custom_field: ["created", "updated", "deleted"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type EventName = { [Type in keyof typeof events]: `${Type}.${(typeof events)[Type][number]}` }[keyof typeof events];

/** When each event happens, for the reference. */
export const eventMeanings: Readonly<Record<EventName, string>> = {
  "company.created": "A company was created: by the API, a person, a command or an import.",
  "company.updated": "At least one stored value of a company changed.",
  "company.deleted":
    "A company was deleted. Its contacts and addresses disappeared with it, without events of their own.",
  "company.merged":
    "A company was merged into another (`into`), to which everything of it moved. It is a `company.restored` when that is undone.",
  "company.restored": "A deleted company returned, with the contacts and addresses that disappeared with it.",
  "contact.created": "A contact was created.",
  "contact.updated": "At least one stored value of a contact changed.",
  "contact.deleted": "A contact was deleted by itself, not with its company.",
  "contact.merged":
    "A contact was merged into another of its company (`into`). It is a `contact.restored` when that is undone.",
  "contact.restored": "A contact that was deleted by itself returned.",
  "contact.erased": "The data of a person was erased for good. Erase your copy too.",
  "address.created": "An address was created.",
  "address.updated": "At least one stored value of an address changed.",
  "address.deleted": "An address was deleted by itself, not with its company.",
  "address.restored": "An address that was deleted by itself returned.",
  "invoice.created": "An invoice was created.",
  "invoice.updated":
    "At least one stored value of an invoice changed, also its state while it goes to the warehouse (`wms_status` and others).",
  "invoice.deleted": "The import that created the invoice was undone. Nothing else deletes invoices.",
  "payment.created": "A payment was recorded, also by an invoice that was marked as paid.",
  "payment.updated": "A payment moved to another company with its invoice, by a merge or an import.",
  "payment.deleted": "A payment was deleted, also by an invoice that is not paid after all.",
  "custom_field.created": "The workspace defined a field of its own.",
  "custom_field.updated": "A custom field was changed, archived or brought back.",
  "custom_field.deleted": "An archived custom field was deleted. Its values are being removed.",
};

/**
 * The events of contacts and addresses that are hidden or shown with their company, for followers with `children`
 * (docs/contract.md 18.6).
 */
export const childEventMeanings = {
  "contact.hidden": "The company of a contact was deleted. With `children` only.",
  "contact.shown": "A contact returned with its company. With `children` only.",
  "address.hidden": "The company of an address was deleted. With `children` only.",
  "address.shown": "An address returned with its company. With `children` only.",
} as const;

/** The beginning of the types that these changes are stored with. */
export const HIDDEN = "hidden_";
export const hiddenTypes: readonly string[] = [`${HIDDEN}contact`, `${HIDDEN}address`];

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
 * `connection` is a company's connection to its warehouse. `planned_call`: the feed has its day with the company.
 */
const workspaceTypes = ["planned_call", "connection", "user", "invitation", "api_key", "webhook", "workspace"] as const;

/** All types that the history pages show. */
export type HistoryType = ChangeType | (typeof workspaceTypes)[number];
export const historyTypes: readonly HistoryType[] = [...changeTypes, ...workspaceTypes];
