import type { Call, Statement } from "../../platform/postgres/statement.ts";

const callBackStatement: Statement = {
  name: "call_back_on",
  text: `update companies c set callback_date = $3::date, updated_at = moment_after(c.updated_at), changed_by = $4
  where c.tenant_id = $1 and c.id = $2 and c.deleted_at is null and c.callback_date is distinct from $3::date
  returning c.updated_at`,
};

/**
 * Sets the day of the next call to a company, as a part of a transaction. It returns the time of the change, and no row
 * if the day stays the same.
 */
export function callBackOn(id: string, date: string, by: string): Call {
  return { statement: callBackStatement, parameters: [id, date, by] };
}
