import type { ColumnName } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { runAll } from "../../platform/postgres/query.ts";
import type { Call, Statement } from "../../platform/postgres/statement.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";
import type { FactorStore, GivenCode } from "./second-factor.ts";

export const userFactor = {
  find: {
    name: "find_second_factor",
    text: `select totp_secret, totp_confirmed_at,
      (select count(*) from recovery_codes r where r.tenant_id = users.tenant_id and r.user_id = users.id)
    from users where tenant_id = $1 and id = $2`,
  },
  begin: {
    name: "begin_second_factor",
    text: "update users set totp_secret = $3 where tenant_id = $1 and id = $2 and totp_confirmed_at is null returning id",
  },
  confirm: {
    name: "confirm_second_factor",
    text: `update users set totp_confirmed_at = now(), totp_last_step = $4, changed_by = 'user:' || id::text,
      updated_at = moment_after(updated_at)
    where tenant_id = $1 and id = $2 and totp_secret = $3 and totp_confirmed_at is null returning id`,
  },
  useStep: {
    name: "use_totp_step",
    text: `update users set totp_last_step = $3
    where tenant_id = $1 and id = $2 and totp_confirmed_at is not null and (totp_last_step is null or totp_last_step < $3)
    returning id`,
  },
  useCode: {
    name: "use_recovery_code",
    text: "delete from recovery_codes where tenant_id = $1 and user_id = $2 and code_hash = $3 returning id",
  },
  addCodes: {
    name: "insert_recovery_codes",
    text: "insert into recovery_codes (tenant_id, user_id, code_hash) select $1, $2, unnest($3::text[]::bytea[]) returning id",
  },
  deleteCodes: {
    name: "delete_recovery_codes",
    text: "delete from recovery_codes where tenant_id = $1 and user_id = $2",
  },
  end: {
    name: "end_second_factor",
    text: `update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null,
      changed_by = 'user:' || id::text, updated_at = moment_after(updated_at)
    where tenant_id = $1 and id = $2`,
  },
  hold: {
    name: "hold_user_of_factor",
    text: "select id from users where tenant_id = $1 and id = $2 for no key update",
  },
  // The break-glass admin's password is refused without it, so only the provider could sign anybody in.
  mayEnd: {
    name: "may_end_second_factor",
    text: `select u.id from users u where u.tenant_id = $1 and u.id = $2 and not exists (
      select from single_sign_on s where s.tenant_id = $1 and s.sso_only and s.sso_break_glass = $2)`,
  },
  endOthers: {
    name: "end_other_sessions",
    text: "delete from sessions where tenant_id = $1 and user_id = $2 and id is distinct from $3",
  },
} satisfies Record<string, Statement>;

/** A user's second factor. @param session the one that stays when it is switched on or off, or null */
export function factorOfUser(tenant: TenantId, database: Database, user: string, session: string | null): FactorStore {
  const isDone = async (call: Call) => (await database.write(tenant, [call]))[0]?.length === 1;
  return {
    ...bindingOfFactor(tenant),
    async find() {
      const [[secret = null, confirmedAt = null, recoveryCodes = null] = []] = await database.quick.read(
        tenant,
        userFactor.find,
        [user],
      );
      return { secret, confirmedAt, recoveryCodes: Number(recoveryCodes) };
    },
    begin: async (secret) => await isDone({ statement: userFactor.begin, parameters: [user, secret] }),
    async confirm({ secret, step, codeHashes }) {
      return await database.transaction(tenant, async (run) => {
        if ((await run(userFactor.confirm, [user, secret, step])).length === 0) return false;
        await run(userFactor.deleteCodes, [user]);
        await run(userFactor.addCodes, [user, codeHashes.map((hash) => `\\x${hash.toString("hex")}`)]);
        await run(userFactor.endOthers, [user, session]);
        return true;
      });
    },
    use: async (code) => await isDone(usingCode(user, code)),
    async end(alongside) {
      return await database.transaction(tenant, async (run) => {
        await run(userFactor.hold, [user]);
        if ((await run(userFactor.mayEnd, [user])).length === 0) return false;
        await run(userFactor.end, [user]);
        await run(userFactor.deleteCodes, [user]);
        await run(userFactor.endOthers, [user, session]);
        await runAll(run, alongside);
        return true;
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
  return "step" in code
    ? { statement: userFactor.useStep, parameters: [user, code.step] }
    : { statement: userFactor.useCode, parameters: [user, code.hash] };
}

const resetStatement: Statement = {
  name: "reset_factor",
  text: `update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null, session_epoch = session_epoch + 1,
    second_factor_reset_at = now(), second_factor_reset_by = $3, changed_by = $3, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = $2 and totp_confirmed_at is not null returning id`,
};

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
    await run(userFactor.hold, [user]);
    if ((await run(userFactor.mayEnd, [user])).length === 0) return "break-glass";
    if ((await run(resetStatement, [user, by])).length === 0) return "was-off";
    await run(userFactor.deleteCodes, [user]);
    await runAll(run, alongside);
    return "off";
  });
}
