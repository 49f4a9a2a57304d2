import { languageOfCountry } from "../../kit/mail/mail-words.ts";
import type { Language } from "../../kit/web/language.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import { columnType } from "../../platform/fields/sql.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, slowQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { detailFields, firmFields } from "./workspace-details.ts";

const details = selectList({
  paymentDays: column.number("coalesce(d.payment_days, 30)"),
  vatRates: { sql: "coalesce(d.vat_rates, '21 11 0')", read: (text) => String(text).split(" ").filter(Boolean) },
  beginsWithVat: column.flag("coalesce(d.begins_with_vat, false)"),
  firm: {
    sql: `json_build_object(${firmFields.map(({ name }) => `'${name}', d.${name}`).join(", ")})`,
    read: (json) => JSON.parse(json ?? "{}") as Record<NameOf<typeof firmFields>, string | null>,
  },
  mailLanguage: column.textOrNull<"en" | "ro">("d.mail_language"),
  hasLogo: column.flag("d.logo_at is not null"),
});

export type WorkspaceDetails = Selected<typeof details>;

/** The firm, its terms and its VAT rates; the defaults until an admin has saved them. */
export const findDetails = quickQuery(
  "find_workspace_details",
  `select ${details.sql} from (select) one left join workspace_details d on d.tenant_id = $1`,
).only(details.read);

const insertDetails = stepQuery<[by: string]>(
  "add_workspace_details",
  "insert into workspace_details (tenant_id, changed_by) values ($1, $2) on conflict (tenant_id) do nothing",
).nothing();

const updateDetails = stepQuery<[values: string, by: string]>(
  "change_workspace_details",
  // A field that was not sent has the row's own value.
  `update workspace_details d set ${detailFields.map(({ name }) => `${name} = case when $2::jsonb ? '${name}' then r.${name} else d.${name} end`).join(", ")},
    changed_by = $3, updated_at = moment_after(d.updated_at)
  from jsonb_to_recordset(jsonb_build_array($2::jsonb)) as r (${detailFields.map(({ name, kind }) => `${name} ${columnType(kind)}`).join(", ")})
  where d.tenant_id = $1`,
).nothing();

/** The language of letters to customers whose contact has none of its own. @param country of the workspace */
export function lettersLanguage({ mailLanguage }: Pick<WorkspaceDetails, "mailLanguage">, country: string): Language {
  return mailLanguage ?? languageOfCountry(country);
}

/** Changes the details that were sent. @param by the author, as in changes.changed_by */
export async function saveDetails(tenant: TenantId, database: Database, values: Values, by: string): Promise<void> {
  await database.transaction(tenant, async (run) => {
    await insertDetails(run, by);
    await updateDetails(run, JSON.stringify(values), by);
  });
}

const logo = selectList({ base64: column.text("d.logo") });

/** The logo in base64, or null. */
export const findLogo = slowQuery(
  "find_logo",
  `select ${logo.sql} from workspace_details d where d.tenant_id = $1 and d.logo is not null`,
).first(logo.read);

const updateLogo = stepQuery<[logo: string | null, by: string]>(
  "change_logo",
  `update workspace_details d set logo = $2, logo_at = case when $2::text is not null then moment_after(d.updated_at) end,
    changed_by = $3, updated_at = moment_after(d.updated_at)
  where d.tenant_id = $1`,
).nothing();

/** Stores or removes the logo. @param logo in base64 @param by the author, as in changes.changed_by */
export async function saveLogo(tenant: TenantId, database: Database, logo: string | null, by: string): Promise<void> {
  await database.transaction(tenant, async (run) => {
    await insertDetails(run, by);
    await updateLogo(run, logo, by);
  });
}
