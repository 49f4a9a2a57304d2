import type { Secrets } from "../platform/encryption/keyring.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Call } from "../platform/postgres/statement.ts";
import { claim, keep, keptEntry } from "./kept-answer-queries.ts";
import { sealed } from "./kept-body.ts";
import type { Once } from "./once.ts";

/**
 * The way to the database of a request that is to be done once: what it writes is written together with its answer, and not at all where
 * its key is taken.
 */
export function keepingDatabase(
  database: Database,
  once: Once,
  secrets: Secrets,
): { database: Database; hasKept: () => boolean } {
  let hasKept = false;
  const write: Database["write"] = async (tenant, calls) => {
    if (calls.every(({ statement }) => statement.keeping === undefined)) return await database.write(tenant, calls);
    const [, ...answers] = await database.write(tenant, [
      claim(once),
      ...calls.map((call) => keepingCall(call, once, secrets)),
    ]);
    // Where nothing was written, nothing was kept.
    hasKept = calls.every(({ statement }, index) => statement.keeping === undefined || answers[index]?.length !== 0);
    return answers;
  };
  const transaction: Database["transaction"] = async (tenant, work, says) => {
    if (says === undefined) return await database.transaction(tenant, work);
    const outcome = await database.transaction(tenant, async (run, part) => {
      const told = async ({ statement, entries }: Call) => await run(statement, [JSON.stringify(entries)]);
      await told(claim(once));
      const done = await work(run, part);
      const said = says(done);
      if (said !== null) await told(keep(once, sealed(said, secrets)));
      hasKept = said !== null;
      return done;
    });
    return outcome;
  };
  return { database: database.writingBy({ write, transaction }), hasKept: () => hasKept };
}

function keepingCall(call: Call, once: Once, secrets: Secrets): Call {
  const { keeping } = call.statement;
  if (keeping === undefined) return call;
  const { statement, says } = keeping;
  const entry = keptEntry(once, says === undefined ? null : sealed({ json: says }, secrets));
  if (call.entries !== undefined)
    return { ...call, statement, entries: call.entries.map((own) => ({ ...own, ...entry })) };
  return { ...call, statement, parameters: [...call.parameters, JSON.stringify([entry])] };
}
