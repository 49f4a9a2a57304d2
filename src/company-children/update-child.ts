import { idOf, ok, type Endpoint } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { encryptValues, sendsEncrypted } from "../platform/fields/stored-values.ts";
import { validate } from "../platform/fields/validation.ts";
import type { Child } from "./child.ts";
import { childJson } from "./child-json.ts";
import { childQueries } from "./child-queries.ts";

/** PUT /api/v1/contacts/{id} and the like: a partial update (specification 4.2). */
export function updateChild(child: Child): Endpoint {
  const { fields, table, model } = child;
  const json = childJson(child);
  const queries = childQueries(child);
  return async ({ database, keyring }, request) => {
    const tenant = request.principal.tenantId;
    const secrets = { keyring, tenant };
    const id = idOf(model, request);
    const { values, errors: messages } = validate(fields, request.input, "update");
    if (messages !== null) {
      // A missing resource comes before what is wrong with the body.
      if ((await queries.find(tenant, database, id)) === null) throw errors.resourceMissing(model, id);
      throw errors.validationFailed(messages);
    }

    const stored = sendsEncrypted(fields, values) ? await queries.findSecrets(tenant, database, id) : [];
    if (stored === null) throw errors.resourceMissing(model, id);
    const row = await queries.update(tenant, database, id, encryptValues(fields, table, values, secrets, stored));
    if (row === null) throw errors.resourceMissing(model, id);
    return ok(`{"data":${json.one(row, secrets)}}`);
  };
}
