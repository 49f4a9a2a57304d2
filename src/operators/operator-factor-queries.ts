import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import { factorStore, type FactorOwner } from "../users/factor-store.ts";
import type { FactorStore } from "../users/second-factor.ts";

export const operatorFactor = {
  find: {
    name: "find_operator_factor",
    text: `select totp_secret, totp_confirmed_at, (select count(*) from operator_recovery_codes r where r.operator_id = o.id)
    from operators o where id = $1`,
  },
  begin: {
    name: "begin_operator_factor",
    text: "update operators set totp_secret = $2 where id = $1 and totp_confirmed_at is null returning id",
  },
  confirm: {
    name: "confirm_operator_factor",
    text: `update operators set totp_confirmed_at = now(), totp_last_step = $3
    where id = $1 and totp_secret = $2 and totp_confirmed_at is null returning id`,
  },
  useStep: {
    name: "use_operator_step",
    text: `update operators set totp_last_step = $2
    where id = $1 and totp_confirmed_at is not null and (totp_last_step is null or totp_last_step < $2) returning id`,
  },
  useCode: {
    name: "use_operator_code",
    text: "delete from operator_recovery_codes where operator_id = $1 and code_hash = $2 returning id",
  },
  addCodes: {
    name: "insert_operator_recovery_codes",
    text: "insert into operator_recovery_codes (operator_id, code_hash) select $1, unnest($2::text[]::bytea[])",
  },
  deleteCodes: {
    name: "delete_operator_recovery_codes",
    text: "delete from operator_recovery_codes where operator_id = $1",
  },
  end: {
    name: "end_operator_factor",
    text: "update operators set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where id = $1",
  },
  hold: { name: "hold_operator_of_factor", text: "select id from operators where id = $1 for no key update" },
  endOthers: {
    name: "end_other_operator_sessions",
    text: "delete from operator_sessions where operator_id = $1 and id is distinct from $2",
  },
} satisfies Record<string, Statement>;

/** An operator's second factor. @param session the one that survives when the factor is enabled or disabled, or null */
export function factorOfOperator(database: Database, operator: string, session: string | null): FactorStore {
  const ways: FactorOwner = {
    tenant: "",
    column: "operators.totp_secret",
    id: operator,
    read: async (statement, parameters) => (await database.owner([{ statement, parameters }]))[0],
    write: async (calls) => await database.owner(calls),
    transaction: async (work) => await database.ownerTransaction(work),
  };
  return factorStore(operatorFactor, ways, session);
}
