import type { Database } from "../platform/postgres/database.ts";
import type { Call, Statement } from "../platform/postgres/statement.ts";
import type { FactorStore, GivenCode, StoredFactor } from "../users/second-factor.ts";

/** An operator's second factor. Switched on or off it ends the operator's sessions, but for the one that did it. */
export function factorOfOperator(database: Database, operator: string, session: string): FactorStore {
  return {
    tenant: "",
    column: "operators.totp_secret",
    find: async () => await findFactor(database, operator),
    async begin(secret) {
      const [rows] = await database.owner([{ statement: beginStatement, parameters: [operator, secret] }]);
      return rows?.length === 1;
    },
    confirm: async (confirmed) => await confirmFactor(database, operator, session, confirmed),
    async use(code) {
      const [rows] = await database.owner([usingOperatorCode(operator, code)]);
      return rows?.length === 1;
    },
    end: async () => await endOperatorFactor(database, operator, session),
  };
}

const findStatement: Statement = {
  name: "find_operator_factor",
  text: `select totp_secret, totp_confirmed_at, (select count(*) from operator_recovery_codes r where r.operator_id = o.id)
  from operators o where id = $1`,
};

async function findFactor(database: Database, operator: string): Promise<StoredFactor> {
  const [[[secret = null, confirmedAt = null, recoveryCodes = null] = []] = []] = await database.owner([
    { statement: findStatement, parameters: [operator] },
  ]);
  return { secret, confirmedAt, recoveryCodes: Number(recoveryCodes) };
}

const beginStatement: Statement = {
  name: "begin_operator_factor",
  text: "update operators set totp_secret = $2 where id = $1 and totp_confirmed_at is null returning id",
};

const confirmStatement: Statement = {
  name: "confirm_operator_factor",
  text: `update operators set totp_confirmed_at = now(), totp_last_step = $3
  where id = $1 and totp_secret = $2 and totp_confirmed_at is null returning id`,
};

const addCodesStatement: Statement = {
  name: "insert_operator_recovery_codes",
  text: "insert into operator_recovery_codes (operator_id, code_hash) select $1, unnest($2::text[]::bytea[])",
};

const endOthersStatement: Statement = {
  name: "end_other_operator_sessions",
  text: "delete from operator_sessions where operator_id = $1 and id is distinct from $2",
};

async function confirmFactor(
  database: Database,
  operator: string,
  session: string,
  { secret, step, codeHashes }: Parameters<FactorStore["confirm"]>[0],
): Promise<boolean> {
  return await database.ownerTransaction(async (run) => {
    if ((await run(confirmStatement, [operator, secret, step])).length === 0) return false;
    await run(addCodesStatement, [operator, codeHashes.map((hash) => `\\x${hash.toString("hex")}`)]);
    await run(endOthersStatement, [operator, session]);
    return true;
  });
}

const useStepStatement: Statement = {
  name: "use_operator_step",
  text: `update operators set totp_last_step = $2
  where id = $1 and totp_confirmed_at is not null and (totp_last_step is null or totp_last_step < $2) returning id`,
};

const useCodeStatement: Statement = {
  name: "use_operator_code",
  text: "delete from operator_recovery_codes where operator_id = $1 and code_hash = $2 returning id",
};

/** As usingCode of a user. */
export function usingOperatorCode(operator: string, code: GivenCode): Call {
  return "step" in code
    ? { statement: useStepStatement, parameters: [operator, code.step] }
    : { statement: useCodeStatement, parameters: [operator, code.hash] };
}

const endStatement: Statement = {
  name: "end_operator_factor",
  text: "update operators set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where id = $1",
};

const deleteCodesStatement: Statement = {
  name: "delete_operator_recovery_codes",
  text: "delete from operator_recovery_codes where operator_id = $1",
};

/** Switches an operator's second factor off, and ends the sessions. @param kept the session that stays, or null */
export async function endOperatorFactor(database: Database, operator: string, kept: string | null): Promise<void> {
  await database.owner([
    { statement: endStatement, parameters: [operator] },
    { statement: deleteCodesStatement, parameters: [operator] },
    { statement: endOthersStatement, parameters: [operator, kept] },
  ]);
}
