import { idOf, one, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { childJson } from "./child-json.ts";
import type { Child } from "./child.ts";
import { writeChild } from "./write-child.ts";

/** POST /api/v1/companies/{company}/contacts and the like; company_id is the path's (docs/contract.md 7.1 and 8.1). */
export function createChild(child: Child): Endpoint {
  const json = childJson(child);
  const write = writeChild(child);
  return async (deps, request) => {
    const { actor, input } = request;
    const companyId = idOf("Company", request, "company");
    const written = await write.create(deps, actor, companyId, input);
    if (written.outcome === "missing") throw errors.resourceMissing("Company", companyId);
    if (written.outcome === "invalid") throw errors.validationFailed(written.messages);
    return one(201, json.one(written.row, { keyring: deps.keyring, tenant: actor.tenant }), json.state(written.row));
  };
}
