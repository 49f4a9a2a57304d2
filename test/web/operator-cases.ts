import type { PageCase } from "./page-case.ts";

/** The rows of the pages of operators. */
export const operatorCases: readonly PageCase[] = [
  { page: "GET /operator", status: 303, seenBy: "operator" },
  { page: "GET /operator/sign-in" },
  { page: "POST /operator/sign-in", form: { email: "a@example.com", password: "wrong" }, status: 422 },
  { page: "GET /operator/sign-in/code", status: 303, seenBy: "halfway operator" },
  { page: "POST /operator/sign-in/code", form: { code: "000000" } },
  { page: "POST /operator/sign-out", endsSession: true },
  // The tests' server has a number as its address, so passkeys do not work (test/operators/operator-passkeys.test.ts).
  { page: "GET /operator/sign-in/passkey" },
  { page: "POST /operator/sign-in/passkey", form: { answer: "" }, status: 422 },
  { page: "POST /operator/sign-in/passkey/account", form: { email: "a@example.com" }, status: 200 },
  { page: "GET /operator/profile" },
  { page: "GET /operator/passkeys" },
  { page: "POST /operator/passkeys", form: { name: "Laptop", current: "wrong" }, status: 422 },
  { page: "POST /operator/passkeys/add", form: { answer: "" }, status: 422 },
  { page: "GET /operator/passkeys/{id}/remove", of: async () => "/operator/passkeys/999999999/remove", status: 404 },
  { page: "POST /operator/passkeys/{id}/remove", of: async () => "/operator/passkeys/999999999/remove", status: 404 },
  { page: "GET /operator/second-factor" },
  { page: "POST /operator/second-factor" },
  // It was begun by the row above.
  { page: "POST /operator/second-factor/confirm", form: { code: "nonsense" }, status: 422 },
  { page: "POST /operator/second-factor/end", form: { code: "nonsense" }, status: 422 },
  { page: "GET /operator/tenants" },
  { page: "POST /operator/tenants", form: { name: "", email: "nobody" }, status: 422 },
  { page: "GET /operator/tenants/new" },
  { page: "GET /operator/tenants/{slug}", of: async ({ slug }) => `/operator/tenants/${slug}` },
  { page: "GET /operator/tenants/{slug}/suspend", of: async ({ slug }) => `/operator/tenants/${slug}/suspend` },
  // Of a tenant that there is not: the others are needed.
  { page: "POST /operator/tenants/{slug}/suspend", status: 404 },
  { page: "POST /operator/tenants/{slug}/resume", status: 404 },
];
