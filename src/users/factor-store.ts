import type { Run } from "../platform/postgres/database.ts";
import type { Call, Parameter, Row, Statement } from "../platform/postgres/statement.ts";
import type { FactorStore, GivenCode } from "./second-factor.ts";

/**
 * The statements of a second factor, of users and of operators. The first parameter is whose it is, behind the
 * tenant where there is one; a code's step or hash is the second.
 */
export type FactorStatements = {
  /** Answers the secret, since when it is confirmed, and how many recovery codes are left. */
  find: Statement;
  /** These four answer a row where there was something to do. */
  begin: Statement;
  confirm: Statement;
  useStep: Statement;
  useCode: Statement;
  addCodes: Statement;
  deleteCodes: Statement;
  end: Statement;
  /** Locks the owner, before `mayEnd` is read. */
  hold: Statement;
  /** Returns a row unless the factor must stay on; undefined: it never must. */
  mayEnd?: Statement;
  /** Ends the sessions but for one, or all where that is null. */
  endOthers: Statement;
};

/** The owner of a second factor, and the ways to where it is stored. */
export type FactorOwner = Pick<FactorStore, "tenant" | "column"> & {
  id: string;
  read: (statement: Statement, parameters: Parameter[]) => Promise<Row[] | undefined>;
  write: (calls: Call[]) => Promise<Row[][]>;
  transaction: (work: (run: Run) => Promise<boolean>) => Promise<boolean>;
};

/** Switched on or off a second factor ends the sessions of whose it is. @param kept the session that stays, or null */
export function factorStore(
  statements: FactorStatements,
  { tenant, column, id, read, write, transaction }: FactorOwner,
  kept: string | null,
): FactorStore {
  const hasDone = async (call: Call) => (await write([call]))[0]?.length === 1;
  return {
    tenant,
    column,
    async find() {
      const [[secret = null, confirmedAt = null, recoveryCodes = null] = []] =
        (await read(statements.find, [id])) ?? [];
      return { secret, confirmedAt, recoveryCodes: Number(recoveryCodes) };
    },
    begin: async (secret) => await hasDone({ statement: statements.begin, parameters: [id, secret] }),
    async confirm({ secret, step, codeHashes }) {
      return await transaction(async (run) => {
        if ((await run(statements.confirm, [id, secret, step])).length === 0) return false;
        await run(statements.deleteCodes, [id]);
        await run(statements.addCodes, [id, codeHashes.map((hash) => `\\x${hash.toString("hex")}`)]);
        await run(statements.endOthers, [id, kept]);
        return true;
      });
    },
    use: async (code) => await hasDone(usingCode(statements, id, code)),
    end: async (alongside = []) =>
      await transaction(async (run) => {
        await run(statements.hold, [id]);
        const { mayEnd } = statements;
        if (mayEnd !== undefined && (await run(mayEnd, [id])).length === 0) return false;
        await run(statements.end, [id]);
        await run(statements.deleteCodes, [id]);
        await run(statements.endOthers, [id, kept]);
        for (const { statement, parameters } of alongside) await run(statement, parameters);
        return true;
      }),
  };
}

/** The call that uses a code up, of a step with all before it; it answers a row where that was still to be had. */
export function usingCode({ useStep, useCode }: FactorStatements, id: string, code: GivenCode): Call {
  return "step" in code
    ? { statement: useStep, parameters: [id, code.step] }
    : { statement: useCode, parameters: [id, code.hash] };
}
