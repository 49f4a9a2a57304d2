/**
 * The nouns whose changes the contract lists, stated independently of `src/`, in the contract's order. A new noun is a
 * line here: the tests of capabilities, the feed, webhooks, retries, ledgers and the demo's history then expect it.
 */
const plurals = {
  company: "companies",
  contact: "contacts",
  address: "addresses",
  invoice: "invoices",
  payment: "payments",
  custom_field: "custom-fields",
};

/** As changes and events name them. */
export const nounTypes = Object.keys(plurals);
/** As paths and capabilities name them. */
export const nounPaths = Object.values(plurals);
export const nounTables = nounPaths.map((name) => name.replaceAll("-", "_"));
