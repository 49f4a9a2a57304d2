import type { PageCase } from "./page-case.ts";

/** The rows of the pages of operators. */
export const operatorCases: readonly PageCase[] = [
  { page: "GET /operator", status: 303, seenBy: "operator" },
  { page: "GET /operator/sign-in" },
  { page: "POST /operator/sign-in", form: { email: "a@example.com", password: "wrong" }, status: 422 },
  { page: "GET /operator/tenants" },
  { page: "POST /operator/tenants", form: { name: "", email: "nobody" }, status: 422 },
  { page: "GET /operator/tenants/new" },
  { page: "GET /operator/tenants/{slug}", of: async ({ slug }) => `/operator/tenants/${slug}` },
  { page: "GET /operator/tenants/{slug}/suspend", of: async ({ slug }) => `/operator/tenants/${slug}/suspend` },
  {
    page: "POST /operator/tenants/{slug}/admin",
    of: async ({ slug }) => `/operator/tenants/${slug}/admin`,
    form: { email: "nobody" },
    status: 422,
  },
  // Of a tenant that there is not: the others are needed.
  { page: "POST /operator/tenants/{slug}/suspend", status: 404 },
  { page: "POST /operator/tenants/{slug}/resume", status: 404 },
];
