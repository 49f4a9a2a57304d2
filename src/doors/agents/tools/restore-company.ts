import { id } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { companyResult } from "./get-company.ts";

/** A file of its own: each tool has a file. */
export const restoreCompanyTool: WritingTool = {
  name: "restore_company",
  title: "Restore a deleted company",
  description: "Brings a deleted company back, with the contacts and addresses that were hidden with it.",
  needs: ["companies:write"],
  writes: { isDestructive: false },
  input: { id },
  required: ["id"],
  output: { company: companyResult, etag: { type: "string" } },
  async run(session, args, deps) {
    const answer = await session.call(deps, "POST /companies/{id}/restore", { params: args });
    const { data } = await session.read(answer);
    return { status: 200, json: JSON.stringify({ company: data, etag: answer.etag }) };
  },
};
