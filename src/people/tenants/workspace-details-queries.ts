import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { detailFields } from "./workspace-details.ts";

const details = selectList({
  paymentDays: column.number("coalesce(d.payment_days, 30)"),
  vatRates: { sql: "coalesce(d.vat_rates, '21 11 0')", read: (text) => String(text).split(" ").filter(Boolean) },
  beginsWithVat: column.flag("coalesce(d.begins_with_vat, false)"),
});

/** The terms and VAT rates of a workspace; the defaults until an admin has saved them. */
export const findDetails = quickQuery(
  "find_workspace_details",
  `select ${details.sql} from (select) one left join workspace_details d on d.tenant_id = $1`,
).only(details.read);

const addStatement: Statement = {
  name: "add_workspace_details",
  text: "insert into workspace_details (tenant_id, changed_by) values ($1, $2) on conflict (tenant_id) do nothing",
};

const changeStatement: Statement = {
  name: "change_workspace_details",
  // A field that was not sent has the row's own value.
  text: `update workspace_details d set ${detailFields.map(({ name }) => `${name} = (json_populate_record(d, $2::json)).${name}`).join(", ")},
    changed_by = $3, updated_at = moment_after(d.updated_at)
  where d.tenant_id = $1`,
};

/** Changes the details that were sent. @param by the author, as in changes.changed_by */
export async function saveDetails(tenant: TenantId, database: Database, values: Values, by: string): Promise<void> {
  await database.transaction(tenant, async (run) => {
    await run(addStatement, [by]);
    await run(changeStatement, [JSON.stringify(values), by]);
  });
}
