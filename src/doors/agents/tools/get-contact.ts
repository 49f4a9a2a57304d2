import { contactFields } from "../../../customers/contacts/contact.ts";
import { apiFields } from "../../../platform/fields/fields.ts";
import { idOfNamed } from "../named.ts";
import { external, fieldResults, id, resultSchema } from "../schemas.ts";
import type { ReadingTool } from "../tool.ts";

export const contactResult = resultSchema({ id, company_id: id, ...fieldResults(apiFields(contactFields)) }, ["id"]);

export const getContactTool: ReadingTool = {
  name: "get_contact",
  custom: { noun: "contact", member: "contact" },
  title: "Read a contact",
  description: "One person by id or external id, with the company, and with the etag for writing.",
  needs: ["contacts:read"],
  input: { id, external },
  output: { contact: contactResult, etag: { type: "string" } },
  async run(session, args) {
    const params = { id: await idOfNamed(session, "contact", args) };
    const answer = await session.call(session.deps, "GET /contacts/{id}", { params });
    const { data } = await session.read(answer);
    return { contact: data, etag: answer.etag };
  },
};
