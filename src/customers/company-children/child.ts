import type { ChangeType } from "../../kit/changes/change.ts";
import type { Writable } from "../../platform/fields/draft.ts";
import type { Member } from "../../platform/fields/json.ts";
import type { RowOrder } from "../../platform/reads/order.ts";
import type { MergedQueries } from "../companies/merged-queries.ts";

/**
 * A noun that belongs to a company: listed and created under the company's path; read, changed and deleted by its own
 * id; hidden with its company. Contacts and addresses are such children, and differ in these properties.
 */
export type Child = Writable & {
  /** Its name in messages: `Contact`. */
  model: string;
  /** The type in its history. */
  changeType: ChangeType;
  /** Read-only members of the JSON, between the fields and the timestamps. */
  readOnly: readonly Member[];
  /** A member computed from the row's fields, as JSON text; null if there is none. */
  computed: { name: string; json: (field: (name: string) => string | null) => string } | null;
  /** The fields that `search` matches. */
  searched: readonly string[];
  /** The exact look-ups of its lists, beside those by the external id and by ids. */
  exact: Readonly<Record<string, true | string>>;
  /**
   * The order of a company's list. An index has the same order, and the function `<table>_behind`
   * (migrations/functions/) finds the rows behind a position.
   */
  order: RowOrder;
  /** Of a kind of which two can be merged: its table has `merged_into` and `former_ids`. */
  merged?: MergedQueries;
};
