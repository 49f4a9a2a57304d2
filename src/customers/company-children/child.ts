import type { ChangeType } from "../../kit/changes/change.ts";
import type { ListLookUp } from "../../kit/external-ids/look-up.ts";
import type { Writable } from "../../platform/fields/draft.ts";
import type { Member } from "../../platform/fields/json.ts";

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
  /** The look-ups of its lists, by the external id and by ids among them. */
  lookUps: readonly ListLookUp[];
  /** The list's order, as SQL over the table's alias `k`. An index has the same order. */
  order: string;
  /**
   * The values that the order compares, each with the value before all rows. The function `<table>_behind`
   * (migrations/functions/) finds the rows behind a position.
   */
  position: readonly { sql: string; beginning: string; isDescending?: true }[];
};
