import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";

/** The question about a passkey that another user does not have. */
async function ofSomebody(tenant: TestTenant): Promise<string> {
  return `/users/${await tenant.createUser()}/passkeys/999999999/remove`;
}

/**
 * The pages of passkeys where they do not work: the tests' server has a number as its address (test/people/passkeys/).
 */
export const passkeyCases: readonly PageCase[] = [
  // Somebody who is in already has nothing to do there.
  { page: "GET /sign-in/passkey", status: 303 },
  { page: "POST /sign-in/passkey", form: { answer: "" }, status: 422 },
  { page: "POST /sign-in/passkey/account", form: { workspace: "nobody", email: "a@example.com" }, status: 200 },
  { page: "GET /profile/passkeys" },
  { page: "POST /profile/passkeys", form: { name: "Laptop", current: "wrong" }, status: 422 },
  { page: "POST /profile/passkeys/add", form: { answer: "" }, status: 422 },
  { page: "GET /profile/passkeys/{id}/remove", of: async () => "/profile/passkeys/999999999/remove", status: 404 },
  { page: "POST /profile/passkeys/{id}/remove", of: async () => "/profile/passkeys/999999999/remove", status: 404 },
  { page: "GET /users/{id}/passkeys", of: async (tenant) => `/users/${await tenant.createUser()}/passkeys` },
  { page: "GET /users/{id}/passkeys/{passkey}/remove", of: ofSomebody, status: 404 },
  { page: "POST /users/{id}/passkeys/{passkey}/remove", of: ofSomebody, status: 404 },
];
