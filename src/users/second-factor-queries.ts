import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Call, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { FactorStore, GivenCode, StoredFactor } from "./second-factor.ts";

/** A user's second factor. Switched on or off it ends the user's sessions, but for the one that did it. */
export function factorOfUser(tenant: TenantId, database: Database, user: string, session: string | null): FactorStore {
  return {
    tenant,
    column: "users.totp_secret",
    find: async () => await findFactor(tenant, database, user),
    begin: async (secret) => await beginFactor(tenant, database, user, secret),
    confirm: async (confirmed) => await confirmFactor(tenant, database, user, session, confirmed),
    async use(code) {
      const [rows] = await database.write(tenant, [usingCode(user, code)]);
      return rows?.length === 1;
    },
    end: async () => await endFactor(tenant, database, user, session),
  };
}

const factor = selectList({
  secret: "totp_secret",
  confirmedAt: "totp_confirmed_at",
  recoveryCodes: "(select count(*) from recovery_codes r where r.tenant_id = users.tenant_id and r.user_id = users.id)",
});

const findStatement: Statement = {
  name: "find_second_factor",
  text: `select ${factor.sql} from users where tenant_id = $1 and id = $2`,
};

async function findFactor(tenant: TenantId, database: Database, user: string): Promise<StoredFactor> {
  const [found = []] = await database.quick.read(tenant, findStatement, [user]);
  const { recoveryCodes, ...row } = factor.read(found);
  return { ...row, recoveryCodes: Number(recoveryCodes) };
}

const beginStatement: Statement = {
  name: "begin_second_factor",
  text: `update users set totp_secret = $3 where tenant_id = $1 and id = $2 and totp_confirmed_at is null returning id`,
};

async function beginFactor(tenant: TenantId, database: Database, user: string, secret: string): Promise<boolean> {
  const [rows] = await database.write(tenant, [{ statement: beginStatement, parameters: [user, secret] }]);
  return rows?.length === 1;
}

const confirmStatement: Statement = {
  name: "confirm_second_factor",
  text: `update users set totp_confirmed_at = now(), totp_last_step = $4, changed_by = 'user:' || id::text,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and totp_secret = $3 and totp_confirmed_at is null returning id`,
};

const addCodesStatement: Statement = {
  name: "insert_recovery_codes",
  text: "insert into recovery_codes (tenant_id, user_id, code_hash) select $1, $2, unnest($3::text[]::bytea[]) returning id",
};

/** Ends a user's sessions but for one ($3), or all (null). */
export const endOthersStatement: Statement = {
  name: "end_other_sessions",
  text: "delete from sessions where tenant_id = $1 and user_id = $2 and id is distinct from $3",
};

async function confirmFactor(
  tenant: TenantId,
  database: Database,
  user: string,
  session: string | null,
  { secret, step, codeHashes }: Parameters<FactorStore["confirm"]>[0],
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if ((await run(confirmStatement, [user, secret, step])).length === 0) return false;
    await run(deleteCodesStatement, [user]);
    await run(addCodesStatement, [user, codeHashes.map((hash) => `\\x${hash.toString("hex")}`)]);
    await run(endOthersStatement, [user, session]);
    return true;
  });
}

const useStepStatement: Statement = {
  name: "use_totp_step",
  text: `update users set totp_last_step = $3
  where tenant_id = $1 and id = $2 and totp_confirmed_at is not null and (totp_last_step is null or totp_last_step < $3)
  returning id`,
};

const useCodeStatement: Statement = {
  name: "use_recovery_code",
  text: "delete from recovery_codes where tenant_id = $1 and user_id = $2 and code_hash = $3 returning id",
};

/** The call that uses a code of a user up, of a step with all before it; it answers a row where that was still to be had. */
export function usingCode(user: string, code: GivenCode): Call {
  return "step" in code
    ? { statement: useStepStatement, parameters: [user, code.step] }
    : { statement: useCodeStatement, parameters: [user, code.hash] };
}

const endStatement: Statement = {
  name: "end_second_factor",
  text: `update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null,
    changed_by = 'user:' || id::text, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2`,
};

const deleteCodesStatement: Statement = {
  name: "delete_recovery_codes",
  text: "delete from recovery_codes where tenant_id = $1 and user_id = $2",
};

async function endFactor(tenant: TenantId, database: Database, user: string, session: string | null): Promise<void> {
  await database.write(tenant, [
    { statement: endStatement, parameters: [user] },
    { statement: deleteCodesStatement, parameters: [user] },
    { statement: endOthersStatement, parameters: [user, session] },
  ]);
}

const resetStatement: Statement = {
  name: "reset_second_factor",
  text: `update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null, session_epoch = session_epoch + 1,
    second_factor_reset_at = now(), second_factor_reset_by = $3, changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and totp_confirmed_at is not null returning id`,
};

/** Switches the second factor of somebody off who has lost it, and ends the sessions there are; false where none is on. */
export async function resetFactor(tenant: TenantId, database: Database, user: string, by: string): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if ((await run(resetStatement, [user, by])).length === 0) return false;
    await run(deleteCodesStatement, [user]);
    return true;
  });
}
