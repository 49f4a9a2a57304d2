import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";
import { passkeyCases } from "./passkey-cases.ts";
import { singleSignOnCases } from "./single-sign-on-cases.ts";

const invitation = async (tenant: TestTenant) => `/invitations/${(await tenant.invite()).token}`;

/** The rows of the pages that need no session. */
export const signInCases: readonly PageCase[] = [
  { page: "GET /", status: 303 },
  { page: "GET /sign-in", status: 303 },
  { page: "POST /sign-in", form: { workspace: "nobody", email: "a@example.com", password: "wrong" }, status: 422 },
  // There is no demo.
  { page: "POST /sign-in/demo", status: 404 },
  { page: "GET /invitations/{token}", of: invitation },
  { page: "POST /invitations/{token}", of: invitation, form: { name: "", password: "" }, status: 422 },
  { page: "GET /digest/unsubscribe", status: 404 },
  { page: "POST /digest/unsubscribe", status: 404 },
  // Only where mail is configured (test/kit/mail/).
  { page: "GET /sign-in/forgotten", status: 404 },
  { page: "POST /sign-in/forgotten", status: 404 },
  // Somebody who is in already has no step left.
  { page: "GET /sign-in/code", status: 303, seenBy: "halfway" },
  { page: "POST /sign-in/code", form: { code: "000000" } },
  ...passkeyCases,
  ...singleSignOnCases,
  { page: "POST /sign-out", endsSession: true },
];
