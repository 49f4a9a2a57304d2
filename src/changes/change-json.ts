import { isoTimestamp } from "../platform/dates.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { changeOf } from "./change-queries.ts";

/** A change as the API answers it (docs/contract.md 13.1). `changed` is JSON already. */
export function changeJson(row: Row): string {
  const { id, at, type, resourceId, companyId, action, changed, changedBy, writerName } = changeOf(row);
  return (
    `{"id":${id},"at":"${isoTimestamp(String(at))}","type":${JSON.stringify(type)},"resource_id":${resourceId},` +
    `"company_id":${companyId},"action":${JSON.stringify(action)},"changed":${changed},"by":${writerJson(changedBy, writerName)}}`
  );
}

/** The author of something. @param changedBy as it is stored: `user:3`. @param name of the user or the key, as it is called now */
export function writerJson(changedBy: string | null, name: string | null): string {
  const [kind, id = null] = String(changedBy).split(":");
  return `{"kind":${JSON.stringify(kind)},"id":${id},"name":${JSON.stringify(name)}}`;
}
