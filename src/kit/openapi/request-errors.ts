import type { FieldTable } from "../../platform/fields/fields.ts";
import { validate, type Mode } from "../../platform/fields/validation.ts";
import { errors } from "../errors.ts";
import type { DescribedRoute, ErrorName, ErrorReference } from "./reference.ts";
import { named, objectSchema } from "./schema.ts";

/** The errors of the checks, possible on any route. */
export function errorsOfRequest({ method, capability, reference: { body } }: DescribedRoute): ErrorReference[] {
  const incapable =
    capability === null
      ? []
      : [errorOf("capabilityMissing", "A key without the capability", errors.capabilityMissing(capability))];
  return [...always, ...incapable, ...(body === undefined ? [] : ofBodies), ...(method === "GET" ? [] : ofKeys)];
}

/**
 * The error of a route whose path names a resource.
 * @param model the name in the message
 * @param headers those that such an answer may have
 */
export function resourceMissing(model: string, headers?: Record<string, string>): ErrorReference {
  const example = errors.resourceMissing(model, "999", headers);
  return errorOf("resourceMissing", "A missing, deleted or foreign resource", example, notFoundSchema);
}

/** The error of a route that validates its body. The example is the validator's answer to empty required fields. */
export function validationFailed(fields: FieldTable, mode: Mode): ErrorReference {
  const empty = Object.fromEntries(fields.filter(({ required }) => required).map(({ name }) => [name, ""]));
  const example = errors.validationFailed(validate(fields, empty, mode).errors ?? {});
  return errorOf("validationFailed", "A required field is empty", example, validationSchema);
}

const messageSchema = objectSchema({ message: { type: "string" } });
/** The body of a deletion's answer. */
export const deletedSchema = named("Message", messageSchema);
const notFoundSchema = named("NotFound", messageSchema);
const failureSchema = named("ServerFailure", messageSchema);
/** The body of most errors. */
export const errorSchema = named("ApiError", objectSchema({ error: { type: "string" } }));
/** The same for an error with more details for people. */
export const detailedErrorSchema = named(
  "ErrorWithDetails",
  objectSchema({ error: { type: "string" }, details: { type: "string" } }),
);

/** The error of a route that accepts `If-Match`. */
export const resourceChanged = errorOf("resourceChanged", "A tag of an earlier state", errors.resourceChanged());

const validationSchema = named(
  "ValidationFailed",
  objectSchema(
    {
      error: { type: "string", const: "Validation failed." },
      errors: {
        type: "object",
        description: "The failing fields, in the order of the fields' table, each with its messages.",
        minProperties: 1,
        additionalProperties: { type: "array", minItems: 1, items: { type: "string" } },
      },
      details: { type: "string", description: "Of a webhook's `types`, the events that there are." },
    },
    ["error", "errors"],
  ),
);

const ofBodies: readonly ErrorReference[] = [
  errorOf("bodyTooLarge", "A body of more than 1 MiB (8 MiB of a batch), packed or unpacked", errors.bodyTooLarge()),
  errorOf("encodingUnsupported", "A body in another encoding than gzip", errors.encodingUnsupported()),
  errorOf("badRequest", "A body that does not unpack", errors.badRequest()),
];

/** The error of a list's cursor. */
export const cursorInvalid = errorOf("cursorInvalid", "A cursor of another list", errors.cursorInvalid());

/** The error of a list's look-ups. */
export const wrongLookUp = errorOf(
  "validationFailed",
  "More than 200 ids, and an `updated_since` that is no timestamp",
  errors.validationFailed({ updated_since: [{ code: "notTimestamp" }] }),
  validationSchema,
);

/** Of a request with an Idempotency-Key. */
const ofKeys: readonly ErrorReference[] = [
  errorOf("idempotencyKeyInvalid", "A key of other characters, or two", errors.idempotencyKeyInvalid()),
  errorOf("idempotencyKeyReused", "The key of another request", errors.idempotencyKeyReused()),
  errorOf("idempotencyKeyInProgress", "The key of a request that is still running", errors.idempotencyKeyInProgress()),
];

const always: readonly ErrorReference[] = [
  errorOf("keyMissing", "No key in the Authorization header", errors.keyMissing()),
  errorOf("keyFormatInvalid", "A token without the tenant prefix", errors.keyFormatInvalid()),
  errorOf("tenantUnknown", "No tenant of this slug", errors.tenantUnknown()),
  errorOf("keyUnknown", "No such key", errors.keyUnknown()),
  errorOf("keyInactive", "A revoked or expired key", errors.keyInactive()),
  errorOf("tenantSuspended", "A suspended tenant", errors.tenantSuspended()),
  errorOf("addressNotAllowed", "A caller outside the key's allowed addresses", errors.addressNotAllowed()),
  errorOf("methodNotAllowed", "Another method", errors.methodNotAllowed("GET, POST, HEAD, OPTIONS")),
  errorOf(
    "rateLimited",
    "Beyond the rate limit",
    errors.rateLimited({
      "x-ratelimit-limit": "6000",
      "x-ratelimit-remaining": "0",
      "ratelimit-policy": '"default";q=6000;w=60',
      ratelimit: '"default";r=0;t=42',
      "x-ratelimit-reset": "1795166160",
      "retry-after": "42",
    }),
  ),
  errorOf("unexpected", "An unexpected failure", errors.unexpected(), failureSchema),
  errorOf("unavailable", "The database does not answer", errors.unavailable()),
];

/** The errors whose answer is the same on every route: the document describes each once. */
export const sharedErrors: readonly ErrorReference[] = [...always, ...ofBodies];

function errorOf(
  name: ErrorName,
  summary: string,
  example: ErrorReference["example"],
  schema: ErrorReference["schema"] = errorSchema,
): ErrorReference {
  return { name, summary, example, schema };
}
