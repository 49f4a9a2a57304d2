import { quickQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Statement } from "../../platform/postgres/statement.ts";

/** $2: the key, $3: the value. Adds it to those whose counts are kept, if there is room, or notes that it is wanted. */
export const wantCountStatement: Statement = {
  name: "want_count_of_value",
  text: "insert into company_value_sums (tenant_id, key, value, asked_at) values ($1, $2, $3, now())",
  isSilent: true,
};

/** The next step of a value's count: migrations/functions/count_common_value.sql. */
export const countValue = stepQuery<[key: string, value: string]>(
  "count_common_value",
  "insert into company_value_sums (tenant_id, key, value) values ($1, $2, $3)",
).nothing();

const common = selectList({
  key: column.text("s.key"),
  value: column.text("s.value"),
  isCounted: column.flag("s.n is not null"),
});

export const commonValues = quickQuery(
  "common_values",
  `select ${common.sql} from company_value_sums s where s.tenant_id = $1 order by s.id`,
).all(common.read);

/** Forgets the values that no list asked for within a week. */
export const forgetUnasked = writeQuery(
  "forget_common_values",
  "delete from company_value_sums s where s.tenant_id = $1 and s.asked_at < now() - interval '7 days'",
).nothing();

/** Removes the changes of forgotten values. A slow writer may have added one later. */
export const forgetValueChanges = writeQuery(
  "forget_changes_of_values",
  `delete from company_value_changes c where c.tenant_id = $1
    and c.sum_id <> all(array(select s.id from company_value_sums s where s.tenant_id = $1)) returning c.id`,
).exists();
