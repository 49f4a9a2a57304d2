import type { PageCase } from "./page-case.ts";

/** The pages of single sign-on in a workspace without it (test/people/single-sign-on/ has one with it). */
export const singleSignOnCases: readonly PageCase[] = [
  { page: "GET /sign-in/oidc" },
  // There is no provider.
  { page: "GET /sign-in/oidc/{workspace}", of: async ({ slug }) => `/sign-in/oidc/${slug}`, status: 404 },
  {
    page: "GET /sign-in/oidc/{workspace}/callback",
    of: async ({ slug }) => `/sign-in/oidc/${slug}/callback`,
    status: 403,
  },
  {
    page: "POST /sign-in/oidc/{workspace}/logout",
    of: async ({ slug }) => `/sign-in/oidc/${slug}/logout`,
    status: 400,
  },
  { page: "GET /workspace/sign-in" },
  { page: "POST /workspace/sign-in", form: { issuer: "" }, status: 422 },
  // There is nothing to try, to switch or to forget.
  { page: "GET /workspace/sign-in/try", status: 303 },
  { page: "POST /workspace/sign-in/on" },
  { page: "GET /workspace/sign-in/off", status: 303 },
  { page: "POST /workspace/sign-in/off" },
  { page: "GET /workspace/sign-in/only", status: 303 },
  { page: "POST /workspace/sign-in/only" },
  { page: "POST /workspace/sign-in/passwords" },
  {
    page: "POST /users/{id}/single-sign-on/forget",
    of: async (tenant) => `/users/${await tenant.createUser()}/single-sign-on/forget`,
  },
];
