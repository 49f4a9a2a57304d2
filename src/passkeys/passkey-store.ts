import { createHash } from "node:crypto";
import type { Run } from "../platform/postgres/database.ts";
import {
  column,
  selectList,
  type Call,
  type Parameter,
  type Row,
  type Selected,
  type Statement,
} from "../platform/postgres/statement.ts";
import type { Challenge } from "./challenge.ts";
import type { Checked, NewCredential } from "./passkey.ts";

/** The columns that `list` selects. */
export const listed = selectList({
  id: column.text("id"),
  name: column.text("name"),
  credentialId: column.text("credential_id"),
  userHandle: column.text("user_handle"),
  transports: column.text("transports"),
  verifies: column.flag("verifies"),
  createdAt: column.text("created_at"),
  lastUsedAt: "last_used_at",
});

/** A passkey in its owner's list. Timestamps are PostgreSQL's text. */
export type ListedPasskey = Selected<typeof listed>;

/**
 * The statements of passkeys, of users and of operators. The first parameter is the owner, behind the tenant if there
 * is one.
 */
export type PasskeyStatements = {
  list: Statement;
  /** Locks the owner, so that changes of one owner's passkeys follow each other. */
  hold: Statement;
  /** These return a row where there was something to do. */
  insert: Statement;
  use: Statement;
  delete: Statement;
  /** These two have no owner. The first returns a row if nobody has answered the challenge. */
  answer: Statement;
  forget: Statement;
};

/** A new passkey: the person's name for it, the owner's handle, and the credential. */
export type NewPasskey = { name: string; handle: string; credential: NewCredential };

/** The passkeys of one user, or of one operator. Calls alongside are committed with the change. */
export type PasskeyStore = {
  /** The oldest first. */
  list(): Promise<ListedPasskey[]>;
  /** False where the challenge was answered, the passkey is known, or there are too many. */
  insert(added: NewPasskey, challenge: Challenge, alongside: readonly Call[]): Promise<boolean>;
  /** False where it is the last way to sign in, or no passkey of the owner. */
  delete(id: string, alongside: readonly Call[]): Promise<boolean>;
};

/** The owner of passkeys, and the ways to where they are stored. */
type StoreOwner = {
  id: string;
  read: (statement: Statement, parameters: Parameter[]) => Promise<Row[] | undefined>;
  transaction: (work: (run: Run) => Promise<boolean>) => Promise<boolean>;
};

export function passkeyStore(
  statements: PasskeyStatements,
  { id: owner, read, transaction }: StoreOwner,
): PasskeyStore {
  const changing = async (alongside: readonly Call[], change: (run: Run) => Promise<boolean>) =>
    await transaction(async (run) => {
      await run(statements.hold, [owner]);
      if (!(await change(run))) return false;
      for (const { statement, parameters } of alongside) await run(statement, parameters);
      return true;
    });
  return {
    list: async () => ((await read(statements.list, [owner])) ?? []).map(listed.read),
    async insert({ name, handle, credential }, challenge, alongside) {
      const { id, publicKey, counter, transports, verifies } = credential;
      return await changing(alongside, async (run) => {
        if (!(await isFirstAnswer(run, statements, challenge))) return false;
        const parameters = [owner, name, id, publicKey, handle, counter, transports, verifies];
        return (await run(statements.insert, parameters)).length === 1;
      });
    },
    delete: async (id, alongside) =>
      await changing(alongside, async (run) => (await run(statements.delete, [owner, id])).length === 1),
  };
}

/** The call that notes the use of a passkey; it returns a row unless the counter went back. */
export function usingPasskey(
  { use }: PasskeyStatements,
  { id, owner }: { id: string; owner: string },
  { counter, isVerified }: Checked,
): Call {
  return { statement: use, parameters: [owner, id, counter, isVerified] };
}

/** A right answer of a passkey to a challenge. */
export type AnsweredChallenge = { challenge: Challenge; checked: Checked };

/**
 * Notes the answer of a passkey, and forgets the challenges that have expired. False where the challenge was answered
 * before, or the counter went back.
 */
export async function noteAnswer(
  run: Run,
  statements: PasskeyStatements,
  passkey: { id: string; owner: string },
  { challenge, checked }: AnsweredChallenge,
  time: number,
): Promise<boolean> {
  await run(statements.forget, [time]);
  if (!(await isFirstAnswer(run, statements, challenge))) return false;
  const { statement, parameters } = usingPasskey(statements, passkey, checked);
  return (await run(statement, parameters)).length === 1;
}

async function isFirstAnswer(run: Run, { answer }: PasskeyStatements, { value, until }: Challenge): Promise<boolean> {
  const hash = createHash("sha256").update(value).digest();
  return (await run(answer, [hash, until])).length === 1;
}
