import { foundOrMerged } from "../../customers/companies/found-or-merged.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { ok, type Endpoint } from "../../kit/endpoint.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { eraseContact } from "./erase-contact-queries.ts";

/** POST /api/v1/contacts/{id}/erase: erases the person's data from all tables (docs/contract.md 7.5). */
export const eraseContactEndpoint: Endpoint = async (deps, request) => {
  const { actor } = request;
  const receipt = await foundOrMerged(contact, deps, request, async (id) => {
    return await eraseContact(actor.tenant, deps.database, id, changedBy(actor));
  });
  return ok(JSON.stringify(receipt));
};
