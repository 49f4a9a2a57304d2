import type { ChangeType } from "../changes/change.ts";
import type { Writable } from "../platform/fields/draft.ts";
import type { Member } from "../platform/fields/json.ts";

/**
 * A noun that belongs to a company and is reached through it: listed and created under the company's path, read,
 * changed and deleted by its own id, hidden with its company. Contacts and addresses are such children; their nouns say
 * where they differ.
 */
export type Child = Writable & {
  /** Its name in messages: `Contact`. */
  model: string;
  /** As its history names it. */
  changeType: ChangeType;
  /** Read-only members of the JSON, between the fields and the timestamps. */
  readOnly: readonly Member[];
  /** A member computed from the row's fields, as JSON text. Null: there is none. */
  computed: { name: string; json: (field: (name: string) => string | null) => string } | null;
  /** The fields that `search` matches. */
  searched: readonly string[];
  /** The list's order, as SQL over the table's alias `k`. An index holds it. */
  order: string;
  /**
   * The values that the order compares, each with the one that comes before all rows. The function `<table>_behind`
   * (migrations/functions/) finds the rows behind them.
   */
  place: readonly { sql: string; beginning: string }[];
};
