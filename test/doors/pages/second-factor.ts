import { insertOperator } from "../../../src/people/operators/operator-queries.ts";
import { factorOfUser } from "../../../src/people/users/second-factor-queries.ts";
import { beginSecondFactor, confirmSecondFactor, type FactorStore } from "../../../src/people/users/second-factor.ts";
import { totpCode } from "../../../src/people/users/totp.ts";
import { INSTALLATION } from "../../../src/platform/postgres/tenant-id.ts";
import type { TestServer, TestTenant } from "../../harness.ts";
import { PASSWORD, PASSWORD_HASH, signedIn, visitor, type Visitor } from "./visitor.ts";

const STEP_MS = 30_000;

/** The code of a secret, now or a number of steps later. */
export function codeOf(secret: string, steps = 0): string {
  return totpCode(secret, Math.floor(Date.now() / STEP_MS) + steps);
}

/** Somebody with a second factor: the code of now is used up, the next one is not. */
export type Protected = ProtectedOperator & { userId: number };

export type ProtectedOperator = {
  email: string;
  secret: string;
  recoveryCodes: string[];
  /** A browser in which the password was right. */
  halfway(browser?: Visitor, to?: string): Promise<Visitor>;
};

async function switchedOn({ deps: { keyring } }: TestServer, store: FactorStore) {
  const secret = await beginSecondFactor(keyring, store);
  if (secret === null) throw new Error("the second factor is on already");
  const confirmed = await confirmSecondFactor(keyring, store, codeOf(secret));
  if (confirmed.outcome !== "on") throw new Error(`the second factor is ${confirmed.outcome}`);
  return { secret, recoveryCodes: confirmed.recoveryCodes };
}

export async function withSecondFactor(server: TestServer, tenant: TestTenant): Promise<Protected> {
  const { email, userId } = await signedIn(server, tenant);
  const on = await switchedOn(server, factorOfUser(tenant.id, server.deps.database, String(userId), null));
  return {
    email,
    userId,
    ...on,
    async halfway(browser = visitor(server), to = "") {
      await browser.post("/sign-in", { workspace: tenant.slug, email, password: PASSWORD, to });
      return browser;
    },
  };
}

let operators = 0;

/** An operator with a second factor. */
export async function operatorWithSecondFactor(server: TestServer): Promise<ProtectedOperator> {
  const { database } = server.deps;
  const email = `protected-${++operators}@example.com`;
  const operator = await insertOperator(database, {
    email,
    name: "Oana Pop",
    passwordHash: PASSWORD_HASH,
  });
  if (operator === null) throw new Error(`the e-mail ${email} is taken`);
  return {
    email,
    ...(await switchedOn(server, factorOfUser(INSTALLATION, database, operator.id, null))),
    async halfway(browser = visitor(server), to = "") {
      await browser.post("/sign-in", { workspace: "", email, password: PASSWORD, to });
      return browser;
    },
  };
}
