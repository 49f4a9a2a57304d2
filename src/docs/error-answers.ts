import { errors } from "../errors.ts";
import type { HttpError } from "../platform/http/http-error.ts";
import { validate } from "../platform/fields/validation.ts";
import type { Method, Route } from "../routes.ts";
import { nounOf, nouns, type Noun } from "./nouns.ts";
import { idSchema, objectSchema, type Schema } from "./schema.ts";

export type ErrorName = keyof typeof errors;

/** One instance of each error of the table, as docs/errors.md and the reference show it. */
export const errorExamples: Record<ErrorName, HttpError> = {
  keyMissing: errors.keyMissing(),
  keyFormatInvalid: errors.keyFormatInvalid(),
  tenantUnknown: errors.tenantUnknown(),
  keyUnknown: errors.keyUnknown(),
  keyInactive: errors.keyInactive(),
  tenantSuspended: errors.tenantSuspended(),
  addressNotAllowed: errors.addressNotAllowed(),
  capabilityMissing: errors.capabilityMissing("wms-orders:read"),
  routeUnknown: errors.routeUnknown("api/v1/foo"),
  resourceMissing: errors.resourceMissing("Company", "999"),
  methodNotAllowed: errors.methodNotAllowed("GET, POST, HEAD, OPTIONS"),
  taxIdTaken: errors.taxIdTaken({ id: 1, name: "Transilvania Foods SRL", tax_id: "RO18547290" }),
  bodyTooLarge: errors.bodyTooLarge(),
  validationFailed: errors.validationFailed(validate(nouns[0]?.fields ?? [], {}, "create").errors ?? {}),
  deletionBlocked: errors.deletionBlocked(["invoices", "tickets"]),
  rateLimited: errors.rateLimited({
    "x-ratelimit-limit": "6000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1795166160",
    "retry-after": "42",
  }),
  requestMalformed: errors.requestMalformed(),
  unexpected: errors.unexpected(),
  unavailable: errors.unavailable(),
};

/** Every error that a route can answer, which follows from its method, path and capability (decisions 3). */
export function errorsOf(route: Route): Partial<Record<ErrorName, HttpError>> {
  const { method, path, capability } = route;
  const noun = nounOf(path);
  const body = noun !== undefined && (method === "POST" || method === "PUT");
  return {
    ...everywhere,
    capabilityMissing: errors.capabilityMissing(capability),
    ...(path.includes("{") ? { resourceMissing: errors.resourceMissing(modelOf(path, noun), "999") } : {}),
    ...(body ? { bodyTooLarge: errorExamples.bodyTooLarge, validationFailed: validationExample(noun, method) } : {}),
    ...(noun?.model === "Company" ? companyErrors(method) : {}),
  };
}

/** The shapes of every body that is neither a resource nor a page (specification 7.2). */
export const errorSchemas: Record<string, Schema> = {
  Error: objectSchema({ error: { type: "string" } }),
  Message: objectSchema({ message: { type: "string" } }),
  ValidationFailed: objectSchema({
    error: { type: "string", const: "Validation failed." },
    errors: {
      type: "object",
      description: "The failing fields, in the order of the fields' table, each with its messages.",
      minProperties: 1,
      additionalProperties: { type: "array", minItems: 1, items: { type: "string" } },
    },
  }),
  DeletionBlocked: objectSchema({
    error: { type: "string", const: "Cannot delete company with related records." },
    details: {
      type: "string",
      description: "The kinds in the way, among invoices, offers, deals, tickets and subscriptions, in that order.",
      pattern: String.raw`^Blocked by: \w+(, \w+)*\.$`,
    },
  }),
  TaxIdTaken: objectSchema({
    error: { type: "string", const: "Company with this tax_id already exists." },
    data: {
      description: "The company that has the `tax_id`.",
      ...objectSchema({ id: idSchema, name: { type: "string" }, tax_id: { type: "string" } }),
    },
  }),
};

const everywhere = pick(
  "keyMissing",
  "keyFormatInvalid",
  "tenantUnknown",
  "keyUnknown",
  "keyInactive",
  "tenantSuspended",
  "addressNotAllowed",
  "methodNotAllowed",
  "rateLimited",
  "unexpected",
  "unavailable",
);

function companyErrors(method: Method): Partial<Record<ErrorName, HttpError>> {
  if (method === "DELETE") return pick("deletionBlocked");
  return method === "GET" ? {} : pick("taxIdTaken");
}

function pick(...names: ErrorName[]): Partial<Record<ErrorName, HttpError>> {
  return Object.fromEntries(names.map((name) => [name, errorExamples[name]]));
}

/** The model of the resource that the path's parameter names. */
function modelOf(path: string, noun: Noun | undefined): string {
  return path.includes("{company}") ? "Company" : (noun?.model ?? "");
}

/** What the validator itself says to a body without, or with an empty, required field. */
function validationExample({ fields }: Noun, method: Method): HttpError {
  const empty = Object.fromEntries(fields.filter(({ required }) => required).map(({ name }) => [name, ""]));
  const { errors: messages } = validate(fields, empty, method === "POST" ? "create" : "update");
  return errors.validationFailed(messages ?? {});
}
