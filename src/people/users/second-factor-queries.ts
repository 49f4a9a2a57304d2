import type { ColumnName } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, runAll, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call } from "../../platform/postgres/statement.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";
import type { FactorStore, GivenCode } from "./second-factor.ts";

const factor = selectList({
  secret: "totp_secret",
  confirmedAt: "totp_confirmed_at",
  recoveryCodes: column.number(`
      (select count(*) from recovery_codes r where r.tenant_id = users.tenant_id and r.user_id = users.id)`),
});

const findFactor = quickQuery<[user: string]>(
  "find_second_factor",
  `select ${factor.sql}
    from users where tenant_id = $1 and id = $2`,
).only(factor.read);

const beginFactor = writeQuery<[user: string, secret: string]>(
  "begin_second_factor",
  "update users set totp_secret = $3 where tenant_id = $1 and id = $2 and totp_confirmed_at is null returning id",
).exists();

const confirmFactor = stepQuery<[user: string, secret: string, step: number]>(
  "confirm_second_factor",
  `update users set totp_confirmed_at = now(), totp_last_step = $4, changed_by = 'user:' || id::text,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and totp_secret = $3 and totp_confirmed_at is null returning id`,
).exists();

const useStep = callsOf<[user: string, step: number]>(
  "use_totp_step",
  `update users set totp_last_step = $3
  where tenant_id = $1 and id = $2 and totp_confirmed_at is not null and (totp_last_step is null or totp_last_step < $3)
  returning id`,
);

const useCode = callsOf<[user: string, hash: Buffer]>(
  "use_recovery_code",
  "delete from recovery_codes where tenant_id = $1 and user_id = $2 and code_hash = $3 returning id",
);

const insertCodes = stepQuery<[user: string, hashes: string[]]>(
  "insert_recovery_codes",
  "insert into recovery_codes (tenant_id, user_id, code_hash) select $1, $2, unnest($3::text[]::bytea[]) returning id",
).nothing();

const deleteCodes = stepQuery<[user: string]>(
  "delete_recovery_codes",
  "delete from recovery_codes where tenant_id = $1 and user_id = $2",
).nothing();

const endFactor = stepQuery<[user: string]>(
  "end_second_factor",
  `update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null,
    changed_by = 'user:' || id::text, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and totp_confirmed_at is not null returning id`,
).exists();

const lockUser = stepQuery<[user: string]>(
  "hold_user_of_factor",
  "select id from users where tenant_id = $1 and id = $2 for no key update",
).nothing();

/** The break-glass admin's password is refused without a second factor: only the provider could sign anybody in. */
const mayEnd = stepQuery<[user: string]>(
  "may_end_second_factor",
  `select u.id from users u where u.tenant_id = $1 and u.id = $2 and not exists (
    select from single_sign_on s where s.tenant_id = $1 and s.sso_only and s.sso_break_glass = $2)`,
).exists();

/** The call that ends a user's sessions but one. */
export const endingOtherSessions = callsOf<[user: string, kept: string | null]>(
  "end_other_sessions",
  "delete from sessions where tenant_id = $1 and user_id = $2 and id is distinct from $3",
);

/** A user's second factor. @param session the one that stays when it is switched on or off, or null */
export function factorOfUser(tenant: TenantId, database: Database, user: string, session: string | null): FactorStore {
  return {
    ...bindingOfFactor(tenant),
    find: async () => await findFactor(tenant, database, user),
    begin: async (secret) => await beginFactor(tenant, database, user, secret),
    async confirm({ secret, step, codeHashes }) {
      return await database.transaction(tenant, async (run) => {
        if (!(await confirmFactor(run, user, secret, step))) return false;
        await deleteCodes(run, user);
        await insertCodes(
          run,
          user,
          codeHashes.map((hash) => `\\x${hash.toString("hex")}`),
        );
        await run(endingOtherSessions(user, session));
        return true;
      });
    },
    async use(code) {
      const [used] = await database.write(tenant, [usingCode(user, code)]);
      return used?.length === 1;
    },
    async end(alongside) {
      return await database.transaction(tenant, async (run) => {
        await lockUser(run, user);
        if (!(await mayEnd(run, user))) return "must-stay";
        if (!(await endFactor(run, user))) return "was-off";
        await deleteCodes(run, user);
        await runAll(run, [endingOtherSessions(user, session), ...alongside]);
        return "off";
      });
    },
  };
}

/** The tenant and the column that a secret is bound to. Those of operators were once in a table of no tenant. */
export function bindingOfFactor(tenant: TenantId): { tenant: TenantId | ""; column: ColumnName } {
  if (tenant === INSTALLATION) return { tenant: "", column: "operators.totp_secret" };
  return { tenant, column: "users.totp_secret" };
}

/**
 * The call that uses a code up, and for a step those of all earlier ones. It returns a row if the code was not used
 * before.
 */
export function usingCode(user: string, code: GivenCode): Call {
  return "step" in code ? useStep(user, code.step) : useCode(user, code.hash);
}

const reset = stepQuery<[id: string, by: string]>(
  "reset_factor",
  `update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null, session_epoch = session_epoch + 1,
    second_factor_reset_at = now(), second_factor_reset_by = $3, changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and totp_confirmed_at is not null returning id`,
).exists();

export type FactorReset = "off" | "was-off" | "break-glass";

/**
 * Turns off the second factor of a user who lost it, and ends the user's sessions. Not for the break-glass admin.
 * @param alongside committed with it
 */
export async function resetFactor(
  tenant: TenantId,
  database: Database,
  user: string,
  by: string,
  alongside: readonly Call[] = [],
): Promise<FactorReset> {
  return await database.transaction(tenant, async (run) => {
    await lockUser(run, user);
    if (!(await mayEnd(run, user))) return "break-glass";
    if (!(await reset(run, user, by))) return "was-off";
    await deleteCodes(run, user);
    await runAll(run, alongside);
    return "off";
  });
}
