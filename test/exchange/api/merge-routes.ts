import {
  cursorInvalid,
  mergeable,
  MERGED,
  MERGED_CONTACT,
  mergeableContact,
  mergedTaxIdTaken,
  undone,
} from "../../doors/api/route-preparations.ts";
import type { EveryRoute } from "../../doors/api/route-row.ts";

/** The rows of companies that look the same, and of merges (every-route.ts). */
export const mergeRoutes: readonly EveryRoute[] = [
  {
    method: "GET",
    path: "/api/v1/companies/alike",
    capability: "companies:read",
    on: "none",
    models: [],
    body: "none",
    status: 200,
    async prepare(_server, tenant) {
      for (const name of ["Alike", "ALIKE SRL"])
        await tenant.post("/api/v1/companies", { name, phone: "0264 555 010" });
    },
    refusals: { cursorInvalid },
  },
  ...(["PUT", "DELETE"] as const).map((method): EveryRoute => ({
    method,
    path: "/api/v1/companies/{id}/not-alike/{other}",
    capability: "companies:write",
    on: "live",
    models: ["Company", "Other"],
    body: "none",
    status: 200,
    prepare: async (_server, tenant, { Company, Other }) =>
      method === "DELETE" && (await tenant.put(`/api/v1/companies/${Company}/not-alike/${Other}`)),
  })),
  {
    method: "POST",
    path: "/api/v1/companies/{id}/merge",
    capability: "companies:write",
    on: "live",
    models: ["Company"],
    body: { passes: { from: MERGED }, fails: { from: "x" } },
    status: 200,
    again: 422,
    prepare: mergeable,
  },
  {
    method: "POST",
    path: "/api/v1/contacts/{id}/merge",
    capability: "contacts:write",
    on: "live",
    models: ["Contact"],
    body: { passes: { from: MERGED_CONTACT }, fails: { from: "x" } },
    status: 200,
    again: 422,
    prepare: mergeableContact,
  },
  {
    method: "POST",
    path: "/api/v1/merges/{id}/undo",
    capability: "companies:write",
    on: "live",
    models: ["Merge"],
    body: "none",
    status: 200,
    again: 422,
    refusals: { mergeNotUndoable: undone, taxIdTaken: mergedTaxIdTaken },
    exceptions: { neverDeleted: "a merge stays" },
  },
];
