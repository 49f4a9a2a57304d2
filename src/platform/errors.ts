/**
 * An answer other than the one hoped for. Thrown anywhere behind a route; app.ts turns it into the response. Everything
 * in it is for the client: the internal half of a failure goes to the log.
 */
export class HttpError extends Error {
  readonly status: number;
  /** The body, as JSON. */
  readonly json: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(`HTTP ${status}`);
    this.name = "HttpError";
    this.status = status;
    this.json = JSON.stringify(body);
    this.headers = headers;
  }
}

/**
 * The error table: every error that the API answers (specification 5 and 7, decisions 1, 3 and 7). docs/errors.md
 * explains each of them by the same name; a test holds the two together.
 */
export const errors = {
  keyMissing: () =>
    new HttpError(401, { error: "API key missing. Use Authorization: Bearer <tenant>.<key>" }, CHALLENGE),
  keyFormatInvalid: () => new HttpError(401, { error: "Invalid API key format. Expected: <tenant>.<key>" }, CHALLENGE),
  tenantUnknown: () => new HttpError(401, { error: "Invalid API key (unknown tenant)." }, CHALLENGE),
  keyUnknown: () => new HttpError(401, { error: "Invalid API key." }, CHALLENGE),
  keyInactive: () => new HttpError(403, { error: "API key is inactive or expired." }),
  tenantSuspended: () => new HttpError(403, { error: "Account suspended." }),
  addressNotAllowed: () => new HttpError(403, { error: "IP address not allowed." }),
  capabilityMissing: (capability: string) => new HttpError(403, { error: `Missing capability: ${capability}` }),
  /** @param path as in the URL, without the leading slash */
  routeUnknown: (path: string) => new HttpError(404, { message: `The route ${path} could not be found.` }),
  /** @param model Company, Contact or Address. @param id as in the URL, decoded once */
  resourceMissing: (model: string, id: string) =>
    new HttpError(404, { message: `No query results for model [${model}] ${id}` }),
  methodNotAllowed: (allow: string) => new HttpError(405, { error: "Method not allowed." }, { allow }),
  /** @param holder the live company that has the tax id */
  taxIdTaken: (holder: { id: number; name: string; tax_id: string | null }) =>
    new HttpError(409, { error: "Company with this tax_id already exists.", data: holder }),
  bodyTooLarge: () => new HttpError(413, { error: "Payload too large." }),
  validationFailed: (messages: Record<string, string[]>) =>
    new HttpError(422, { error: "Validation failed.", errors: messages }),
  /** @param kinds among invoices, offers, deals, tickets, subscriptions, in that order */
  deletionBlocked: (kinds: string[]) =>
    new HttpError(422, {
      error: "Cannot delete company with related records.",
      details: `Blocked by: ${kinds.join(", ")}.`,
    }),
  rateLimited: (headers: Record<string, string>) => new HttpError(429, { error: "Rate limit exceeded." }, headers),
  requestMalformed: () => new HttpError(400, { error: "Bad request." }),
  unexpected: () => new HttpError(500, { message: "Server Error" }),
  unavailable: () => new HttpError(503, { error: "Service unavailable." }, { "retry-after": "1" }),
};

const CHALLENGE = { "www-authenticate": "Bearer" };
