import { companyFields } from "../../companies/company.ts";
import { fieldArguments, id } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { etag, fieldsOf, writeResource, writtenExternal, writtenSchema } from "../write-resource.ts";
import { companyResult } from "./get-company.ts";

export const upsertCompanyTool: WritingTool = {
  name: "upsert_company",
  title: "Create or change a company",
  description:
    "With `id` it changes the fields that you send, and no others; null clears a field. Without `id` it creates a " +
    "company, which needs a name. It never creates a second company with the same tax id: the error names the first.",
  needs: ["companies:write"],
  writes: { isDestructive: false },
  input: { id, etag, external: writtenExternal, ...fieldArguments(companyFields) },
  output: writtenSchema("company", companyResult),
  async run(session, given, deps) {
    const paths = { one: "/companies/{id}", all: "/companies" };
    const fields = fieldsOf(given, companyFields);
    return await writeResource(session, deps, paths, { member: "company", given, fields });
  },
};
