import assert from "node:assert/strict";
import { PASSWORD, signedIn, visitor, type Member, type PageAnswer, type Visitor } from "../../doors/pages/visitor.ts";
import type { TestServer, TestTenant } from "../../harness.ts";
import { assert as assertion, create, optionsIn, type LanePolicy, type TestPasskey } from "./authenticator.ts";

/** The address of the server as browsers see it, with a port: another port is another origin. */
export const ORIGIN = "https://crm.example:8443";

/** Adds a passkey to the account of a user. Returns the last page's answer too. */
export async function addPasskey(
  who: Visitor,
  manner: LanePolicy = {},
  name = "Laptop",
): Promise<{ passkey: TestPasskey; added: PageAnswer; answer: string }> {
  const asked = await who.post("/profile/passkeys", { name, current: PASSWORD });
  assert.equal(asked.status, 200, asked.text);
  const { passkey, answer } = create(optionsIn(asked), ORIGIN, manner);
  return { passkey, answer, added: await who.post("/profile/passkeys/add", { answer }) };
}

/** A new member with a passkey. */
export async function memberWithPasskey(
  server: TestServer,
  manner: LanePolicy = {},
  role: "admin" | "member" = "member",
): Promise<{ tenant: TestTenant; member: Member; passkey: TestPasskey }> {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role });
  const { passkey, added } = await addPasskey(member, manner);
  assert.equal(added.location, "/profile", added.text);
  return { tenant, member, passkey };
}

/** A sign-in by a passkey, in a browser. */
export async function signInBy(
  passkey: TestPasskey,
  who: Visitor,
  manner: LanePolicy = {},
): Promise<PageAnswer & { answer: string }> {
  const asked = await who.get("/sign-in/passkey");
  const answer = assertion(optionsIn(asked), passkey, ORIGIN, manner);
  return { ...(await who.post("/sign-in/passkey", { answer })), answer };
}

/** A browser that nobody has signed in with, and its sign-in by a passkey. */
export async function stranger(server: TestServer, passkey: TestPasskey, manner: LanePolicy = {}): Promise<PageAnswer> {
  return await signInBy(passkey, visitor(server), manner);
}
