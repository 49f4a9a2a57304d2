import { beginSecondFactor, confirmSecondFactor } from "../../src/users/second-factor.ts";
import { totpCode } from "../../src/users/totp.ts";
import type { TestServer, TestTenant } from "../harness.ts";
import { PASSWORD, signedIn, visitor, type Visitor } from "./visitor.ts";

const STEP_MS = 30_000;

/** The code of a secret, now or so many steps later. */
export function codeOf(secret: string, steps = 0): string {
  return totpCode(secret, Math.floor(Date.now() / STEP_MS) + steps);
}

/** Somebody with a second factor: the code of now is used up, the next one is not. */
export type Protected = {
  email: string;
  userId: number;
  secret: string;
  recoveryCodes: string[];
  /** A browser in which the password was right. */
  halfway(browser?: Visitor, to?: string): Promise<Visitor>;
};

export async function withSecondFactor(server: TestServer, tenant: TestTenant): Promise<Protected> {
  const { email, userId } = await signedIn(server, tenant);
  const secret = await beginSecondFactor(server.deps, tenant.id, String(userId));
  if (secret === null) throw new Error("the second factor is on already");
  const confirmed = await confirmSecondFactor(server.deps, tenant.id, String(userId), codeOf(secret));
  if (confirmed.outcome !== "on") throw new Error(`the second factor is ${confirmed.outcome}`);
  return {
    email,
    userId,
    secret,
    recoveryCodes: confirmed.recoveryCodes,
    async halfway(browser = visitor(server), to = "") {
      await browser.post("/sign-in", { workspace: tenant.slug, email, password: PASSWORD, to });
      return browser;
    },
  };
}
