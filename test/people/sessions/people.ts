import { randomBytes } from "node:crypto";
import type { Session } from "../../../src/kit/web/session.ts";
import { findSession } from "../../../src/people/sessions/session.ts";
import { signIn, type SignedIn } from "../../../src/people/sessions/sign-in-by-password.ts";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import type { TenantId } from "../../../src/platform/postgres/tenant-id.ts";
import type { TestServer, TestTenant } from "../../harness.ts";

type SignIn = Parameters<typeof signIn>[1];

/** A user who can sign in. */
export type Person = {
  id: string;
  tenant: TenantId;
  email: string;
  password: string;
  /** Signs in with what is right, unless told otherwise. */
  signIn(attempt?: Partial<SignIn>): Promise<SignedIn>;
  /** The cookies of a sign-in that succeeds. */
  cookies(attempt?: Partial<SignIn>): Promise<{ token: string; browser: string }>;
  token(attempt?: Partial<SignIn>): Promise<string>;
  /** The session of a sign-in that succeeds. */
  session(attempt?: Partial<SignIn>): Promise<Session>;
};

const PASSWORD = "Violet-harbour-91";
const passwordHash = "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$Z4ZK/zrAUvvqjWt4HTEOKObXAGGVxOiUdgmnqcOT7vo";

export async function createPerson(
  { deps }: TestServer,
  tenant: TestTenant,
  { role = "member" }: { role?: "admin" | "member" } = {},
): Promise<Person> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const user = await insertUser(tenant.id, deps.database, {
    email,
    name: "Ana Ionescu",
    role,
    passwordHash,
  });
  const send: Person["signIn"] = async (attempt) =>
    await signIn(deps, {
      workspace: tenant.slug,
      email,
      password: PASSWORD,
      network: "192.0.2.1",
      browser: null,
      userAgent: "Test",
      ...attempt,
    });
  const cookies: Person["cookies"] = async (attempt) => {
    const signedIn = await send(attempt);
    if (signedIn.outcome !== "signed-in") throw new Error(`the sign-in ended as ${signedIn.outcome}`);
    return signedIn;
  };
  return {
    id: String(user?.id),
    tenant: tenant.id,
    email,
    password: PASSWORD,
    signIn: send,
    cookies,
    token: async (attempt) => (await cookies(attempt)).token,
    async session(attempt) {
      const session = await findSession(deps.database, (await cookies(attempt)).token);
      if (session === null) throw new Error("the sign-in is no session");
      return session;
    },
  };
}
