import type { Spellings } from "../../kit/bulk-queries.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { normalized } from "../../platform/text.ts";
import { TAX_ID_MAX } from "./company.ts";
import { foundCompanies } from "./live-company-queries.ts";

/** Countries of the European Union, as fiscal ids begin with them. Greece has two prefixes. */
const PREFIX = /^(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)(?=.)/;
const PLAIN = /^(RO)?(\d+)$/;
const AROUND = /\.0+$|[-\s.\u00ad\u2010-\u2015\u2212\u200b-\u200d\u2060\ufeff]/g;

/** A fiscal id without what people write around its digits, as tax_number() of the database has it, and its country. */
export function taxNumberOf(text: string): { country: string | null; number: string } {
  // Most of them, in a third of the time.
  const [, ro, digits] = PLAIN.exec(text) ?? [];
  if (digits !== undefined) return { country: ro ?? null, number: digits };
  const plain = (normalized(text, TAX_ID_MAX, "NFKC") ?? text).toUpperCase().replaceAll(AROUND, "");
  const country = PREFIX.exec(plain)?.[0] ?? null;
  return { country: country === "GR" ? "EL" : country, number: country === null ? plain : plain.slice(2) };
}

/**
 * The live companies (`c`) that fiscal ids (`sent`: `$2`) lead to, because the companies that had them (`former`) were
 * merged into these.
 */
export const fromFormerTaxIds = `from unnest($2::text[]) with ordinality as sent (text, ordinal)
  cross join lateral (
    select e.resource_id from external_ids e
    where e.tenant_id = $1 and e.type = 'former_tax_id' and e.source = '' and e.external_id = tax_number(sent.text)
    limit 1
  ) e
  join companies c on c.tenant_id = $1 and c.id = e.resource_id and c.deleted_at is null
  cross join lateral jsonb_to_recordset(c.former_ids) as former (type text, id text, text text)
  where former.type = 'former_tax_id' and former.id = tax_number(sent.text)
    -- Answered once: most workspaces have merged nothing.
    and (select exists (
      select from external_ids e where e.tenant_id = $1 and e.type = 'former_tax_id' and e.source = ''
    ))`;

const spelled = selectList({
  ordinal: column.number("ordinal"),
  id: column.text("id"),
  identity: column.text("tax_id"),
});

/** How files find a company by a fiscal id that is stored in another spelling. */
export const taxSpellings: Omit<Spellings, "lock"> = {
  find: stepQuery<[taxIds: readonly string[]]>(
    "company_ids_by_tax_number",
    `with found as materialized (select ordinal, id, tax_id from company_ids_by_tax_number($2::text[]))
    select found.ordinal, found.id, found.tax_id ${foundCompanies}`,
  ).all(spelled.read),
  former: stepQuery<[taxIds: readonly string[]]>(
    "company_ids_by_former_tax_id",
    `select sent.ordinal, c.id, former.text
  ${fromFormerTaxIds}`,
  ).all(spelled.read),
  key: (text) => taxNumberOf(text).number,
  nameOf(text) {
    const { country, number } = taxNumberOf(text);
    return `${country ?? "RO"}${number}`;
  },
  isSame: isSameTaxId,
};

/** Whether two fiscal ids are one. Two prefixes are two firms. A number without one may be each of them. */
export function isSameTaxId(one: string, other: string): boolean {
  const [a, b] = [taxNumberOf(one), taxNumberOf(other)];
  return a.number === b.number && (a.country === b.country || a.country === null || b.country === null);
}
