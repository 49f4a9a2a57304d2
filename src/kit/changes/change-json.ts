import { isoTimestamp } from "../../platform/dates.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { changeOf } from "./change-queries.ts";
import { writerOf } from "./change-words.ts";

/** A change in the API's format (docs/contract.md 13.1). `changed` is JSON already. */
export function changeJson(row: Row): string {
  const { id, at, type, resourceId, companyId, action, changed, changedBy, writerName } = changeOf(row);
  return (
    `{"id":${id},"at":"${isoTimestamp(at)}","type":${JSON.stringify(type)},"resource_id":${resourceId},` +
    `"company_id":${companyId},"action":${JSON.stringify(action)},"changed":${changed},"by":${writerJson(changedBy, writerName)}}`
  );
}

/**
 * The author of a change, and by which door if it was an assistant's. @param changedBy as stored, `user:3` @param name
 * the current name of the user or key
 */
export function writerJson(changedBy: string | null, name: string | null): string {
  const { kind: stored, id, key, confirmedBy } = writerOf(changedBy, name);
  const [kind, via] = stored === "mcp" ? ["key", `,"via":"mcp"`] : [stored, ""];
  const person =
    confirmedBy === null ? "" : `,"confirmed_by":{"id":${confirmedBy.id},"name":${JSON.stringify(confirmedBy.name)}}`;
  return `{"kind":${JSON.stringify(kind)},"id":${id},"name":${JSON.stringify(key)}${via}${person}}`;
}
