import { contactFields } from "../../contacts/contact.ts";
import { errors } from "../../errors.ts";
import { fieldArguments, id } from "../schemas.ts";
import type { WritingTool } from "../tool.ts";
import { etag, fieldsOf, writeResource, writtenExternal, writtenSchema } from "../write-resource.ts";
import { contactResult } from "./get-contact.ts";

export const upsertContactTool: WritingTool = {
  name: "upsert_contact",
  title: "Create or change a contact",
  description:
    "With `id` it changes the fields of a person that you send, and no others; null clears a field. Without `id` it " +
    "creates a person at `company` (its id), which needs both names.",
  needs: ["contacts:write"],
  writes: { isDestructive: false },
  input: { id, company: id, etag, external: writtenExternal, ...fieldArguments(contactFields) },
  output: writtenSchema("contact", contactResult),
  async run(session, given, deps) {
    if (given.id === undefined && given.company === undefined) {
      throw errors.validationFailed({ company: [{ code: "required" }] });
    }
    const paths = { one: "/contacts/{id}", all: "/companies/{company}/contacts" };
    const fields = fieldsOf(given, contactFields);
    return await writeResource(session, deps, paths, { member: "contact", given, fields });
  },
};
