import { isoTimestamp } from "../platform/dates.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { changeOf } from "./change-queries.ts";

/** A change as the API answers it (docs/contract.md 13.1). `changed` is JSON already. */
export function changeJson(row: Row): string {
  const { id, at, type, resourceId, companyId, action, changed, changedBy, writerName } = changeOf(row);
  const [kind, writerId = null] = String(changedBy).split(":");
  const by = `{"kind":${JSON.stringify(kind)},"id":${writerId},"name":${JSON.stringify(writerName)}}`;
  return (
    `{"id":${id},"at":"${isoTimestamp(String(at))}","type":${JSON.stringify(type)},"resource_id":${resourceId},` +
    `"company_id":${companyId},"action":${JSON.stringify(action)},"changed":${changed},"by":${by}}`
  );
}
