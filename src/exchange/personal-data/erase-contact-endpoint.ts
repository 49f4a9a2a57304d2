import { idOf, ok, type Endpoint } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { eraseContact } from "./erase-contact-queries.ts";

/** POST /api/v1/contacts/{id}/erase: erases the person's data from all tables (docs/contract.md 7.5). */
export const eraseContactEndpoint: Endpoint = async ({ database }, request) => {
  const { actor } = request;
  const id = idOf("Contact", request);
  const receipt = await eraseContact(actor.tenant, database, id, changedBy(actor));
  if (receipt === null) throw errors.resourceMissing("Contact", id);
  return ok(JSON.stringify(receipt));
};
