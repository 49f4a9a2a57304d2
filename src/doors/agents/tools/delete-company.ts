import { errors } from "../../../kit/errors.ts";
import { counted } from "../../../kit/web/language.ts";
import { expectedVersions } from "../../../platform/http/entity-tag.ts";
import { nameInQuestion } from "../confirmation.ts";
import { id, resultSchema } from "../schemas.ts";
import type { AgentSession, JsonObject } from "../session.ts";
import type { Arguments, WritingTool } from "../tool.ts";
import { etag } from "../write-resource.ts";

export const deleteCompanyTool: WritingTool = {
  name: "delete_company",
  title: "Delete a company",
  description:
    "Hides a company with its contacts and addresses. restore_company brings all back. A company with invoices or other " +
    "records cannot be deleted. The person is asked first.",
  needs: ["companies:write"],
  writes: { isDestructive: true },
  input: { id, etag },
  required: ["id", "etag"],
  output: { deleted: resultSchema({ id, contacts: { type: "integer" }, addresses: { type: "integer" } }) },
  async preview(session, args) {
    const company = await companyOf(session, args);
    const { name, contacts_count: contacts, addresses_count: addresses } = company;
    return {
      question: `Delete ${nameInQuestion(name)} with ${hidden(contacts, addresses)}?`,
      data: { id: args.id, name, contacts, addresses },
      version: String(company.updated_at),
    };
  },
  async run(session, args, deps) {
    const { contacts_count: contacts, addresses_count: addresses } = await companyOf(session, args);
    await session.call(deps, "DELETE /companies/{id}", { params: args, ifMatch: String(args.etag) });
    return { status: 200, json: JSON.stringify({ deleted: { id: args.id, contacts, addresses } }) };
  },
};

function hidden(contacts: unknown, addresses: unknown): string {
  const [people, places] = [Number(contacts), Number(addresses)];
  const ofPeople = counted("en", people, { one: "contact", other: "contacts" });
  return `${ofPeople} and ${counted("en", places, { one: "address", other: "addresses" })}`;
}

/** The company of the etag. Throws resourceChanged for another state. */
async function companyOf(session: AgentSession, args: Arguments): Promise<JsonObject> {
  const answer = await session.call(session.deps, "GET /companies/{id}", { params: args });
  const { data } = await session.read<{ data: JsonObject }>(answer);
  const versions = (tag: string) => JSON.stringify(expectedVersions(tag, String(args.id)));
  if (versions(String(args.etag)) !== versions(answer.etag ?? "")) throw errors.resourceChanged();
  return data;
}
