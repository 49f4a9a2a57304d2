import { quickQuery } from "../../platform/postgres/query.ts";
import { MOST_CURRENCIES } from "../invoices/money-queries.ts";
import { NEWEST_FIRST } from "../invoices/shown-queries.ts";

/** The newest invoices that are looked at. Their index has the currency. */
const MOST = 10_000;

/** The currencies of a tenant's newest invoices, for the filter of reports. */
export const currenciesOf = quickQuery(
  "currencies_of_invoices",
  `select distinct n.currency from (
    select i.currency from invoices i where i.tenant_id = $1 ${NEWEST_FIRST} limit ${MOST}
  ) n where n.currency is not null order by n.currency limit ${MOST_CURRENCIES}`,
).all(([currency]) => String(currency));
