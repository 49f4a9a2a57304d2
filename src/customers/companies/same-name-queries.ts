import { isSearchable } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { composed } from "../../platform/text.ts";
import { live } from "./live-company-queries.ts";

const named = selectList({ id: column.text("c.id"), name: column.text("c.name"), city: "c.city" });

export type CompanyOfName = Selected<typeof named>;

const MOST = 3;

/** Legal forms, which people write in several ways or not at all. */
const FORMS = ["", " SRL", " S.R.L.", " SA", " S.A.", " PFA"];
const FORM = /\s+(?:s\.?\s?r\.?\s?l|s\.?\s?a|p\.?\s?f\.?\s?a)\.?$/i;
const PREFIXES = ["", "SC ", "S.C. "];
const PREFIX = /^s\.?\s?c\.?\s+/i;

const find = quickQuery<[spellings: string[], most: number]>(
  "companies_of_same_name",
  // The unit separator ends the name in search_text, so each spelling is one look-up in the index of names.
  `select distinct ${named.sql}
  from unnest($2::text[]) as spelling (name)
  cross join lateral (
    select id, name, city from companies
    where ${live} and search_text collate "C" >= fold(spelling.name) || E'\\x1f'
      and search_text collate "C" < fold(spelling.name) || ' '
    order by search_text collate "C", id limit $3
  ) c limit $3`,
).all(named.read);

/** The spellings of a company's name, with and without legal form; none for a name that cannot be looked up. */
export function spellingsOf(typed: string): string[] {
  const name = coreOf(typed);
  if (name === null || name === "" || !isSearchable(name)) return [];
  return PREFIXES.flatMap((prefix) => FORMS.map((form) => prefix + name + form));
}

const ODD_BLANKS = /^ | $| {2}|[^\S ]|[\u200b-\u200d\u2060\ufeff]/;

/** A name without its legal form and with single blanks. */
export function coreOf(typed: string): string | null {
  const plain = ODD_BLANKS.test(typed) ? typed.replaceAll(/[\s\u200b-\u200d\u2060\ufeff]+/g, " ").trim() : typed;
  return composed(plain.replace(PREFIX, "").replace(FORM, ""));
}

/** Companies with the same name, without case, accents and the legal form. */
export async function companiesOfSameName(
  tenant: TenantId,
  database: Database,
  typed: string,
): Promise<CompanyOfName[]> {
  const spellings = spellingsOf(typed);
  if (spellings.length === 0) return [];
  return await find(tenant, database, spellings, MOST);
}
