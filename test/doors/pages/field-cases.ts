import type { TestTenant } from "../../harness.ts";
import type { PageCase } from "./page-case.ts";

let fields = 0;

const newField = {
  get label(): string {
    return `Field ${++fields}`;
  },
  noun: "company",
  kind: "text",
};

/** The path of a new archived field, and its rest. */
const field = (rest: string) => async (tenant: TestTenant) => {
  const { id } = (await tenant.post("/api/v1/custom-fields", { ...newField, archived: true })).body.data;
  return `/workspace/fields/${id}${rest}`;
};

/** The rows of the pages of custom fields. */
export const fieldCases: readonly PageCase[] = [
  { page: "GET /workspace/fields" },
  { page: "POST /workspace/fields", form: newField },
  { page: "GET /workspace/fields/new" },
  { page: "GET /workspace/fields/{id}", of: field("") },
  { page: "POST /workspace/fields/{id}", of: field(""), form: { position: "1" } },
  { page: "POST /workspace/fields/{id}/archive", of: field("/archive") },
  { page: "POST /workspace/fields/{id}/restore", of: field("/restore") },
  { page: "GET /workspace/fields/{id}/delete", of: field("/delete") },
  { page: "POST /workspace/fields/{id}/delete", of: field("/delete") },
];
