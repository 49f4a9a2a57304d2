import { EXTERNAL, externalJson } from "../../platform/fields/external-ids.ts";
import type { Member } from "../../platform/fields/json.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import type { Row } from "../../platform/postgres/statement.ts";

/** Further members of a row's JSON, each behind a comma. */
export type Included = (row: Row) => string;

export const nothingIncluded: Included = () => "";

/**
 * The member `external` of rows with these columns, if the request asks for it (`include=external`).
 * @param members the columns of the rows
 */
export function externalIncluded(members: readonly Member[]): (query: Query) => Included {
  const at = members.findIndex(({ name }) => name === EXTERNAL);
  const included: Included = (row) => `,"${EXTERNAL}":${externalJson(row[at] ?? null)}`;
  return (query) => (query.included.has(EXTERNAL) ? included : nothingIncluded);
}
