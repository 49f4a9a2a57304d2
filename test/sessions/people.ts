import { randomBytes } from "node:crypto";
import type { TenantId } from "../../src/platform/postgres/tenant-id.ts";
import { signIn, type SignedIn, type SignIn } from "../../src/sessions/session.ts";
import { hashPassword } from "../../src/users/password-hash.ts";
import { insertUser } from "../../src/users/user-queries.ts";
import type { TestServer, TestTenant } from "../harness.ts";

/** A user who can sign in. */
export type Person = {
  id: string;
  tenant: TenantId;
  email: string;
  password: string;
  /** Signs in with what is right, unless told otherwise. */
  signIn(attempt?: Partial<SignIn>): Promise<SignedIn>;
  /** The token of a sign-in that succeeds. */
  token(attempt?: Partial<SignIn>): Promise<string>;
};

const PASSWORD = "Violet-harbour-91";
/** The same for all: hashing takes a while. */
const passwordHash = await hashPassword(PASSWORD);

export async function createPerson(
  { deps }: TestServer,
  tenant: TestTenant,
  role: "admin" | "member" = "member",
): Promise<Person> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  const user = await insertUser(tenant.id, deps.database, { email, name: "Ana Ionescu", role, passwordHash });
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
  return {
    id: String(user?.id),
    tenant: tenant.id,
    email,
    password: PASSWORD,
    signIn: send,
    async token(attempt) {
      const signedIn = await send(attempt);
      if (signedIn.outcome !== "signed-in") throw new Error(`the sign-in ended as ${signedIn.outcome}`);
      return signedIn.token;
    },
  };
}
