import type { ErrorCode, NumberHolder, TaxIdHolder } from "./schemas.generated.ts";

/** An answer that is an error, or that did not come. */
export type Refusal = {
  /** The HTTP status; 0 where no answer came. */
  status: number;
  /** `X-Error-Code`: decide by it, or by the class. Null where no Liaison answered, but a proxy, say. */
  code: string | null;
  /** The parsed body; the text where it is no JSON. */
  body: unknown;
  /** Seconds to wait, where the answer says so. */
  retryAfter: number | null;
  /** The request's name in the server's log. */
  requestId: string | null;
  /** The key that a write was sent with: the same call with it is not done twice. */
  idempotencyKey: string | null;
};

/** The names of the classes below. Bundlers rename classes, but not these. */
export type LiaisonErrorName =
  | "LiaisonError"
  | "NoAnswerError"
  | "AuthenticationError"
  | "CapabilityMissingError"
  | "RateLimitedError"
  | "NotFoundError"
  | "BadRequestError"
  | "ValidationError"
  | "ConflictError"
  | "ResourceChangedError"
  | "CursorTooOldError"
  | "RefusedError"
  | "IdempotencyKeyError"
  | "ServerError";

/** Every error of this client that is about one request; the classes below are its families. */
export class LiaisonError extends Error implements Refusal {
  override readonly name: LiaisonErrorName = "LiaisonError";
  readonly status: number;
  readonly code: string | null;
  readonly body: unknown;
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    const { status, code, body } = refusal;
    const { error, message, details, errors = {} } = membersOf(body);
    const said = error ?? message ?? (status === 0 ? "No answer." : `${status}: no answer of Liaison's.`);
    super([said, details, Object.values(errors as object)].flat(2).filter(Boolean).join(" "), options);
    this.status = status;
    this.code = code;
    this.body = body;
    this.retryAfter = refusal.retryAfter;
    this.requestId = refusal.requestId;
    this.idempotencyKey = refusal.idempotencyKey;
  }
}

/** No answer came, in all tries. Whether a write was done is unknown: the same call with its `idempotencyKey` finds out. */
export class NoAnswerError extends LiaisonError {
  override readonly name = "NoAnswerError";
}

/** The key is missing, unknown, expired or not for this address, or the tenant is suspended. */
export class AuthenticationError extends LiaisonError {
  override readonly name = "AuthenticationError";
}

/** The key may not do this. */
export class CapabilityMissingError extends LiaisonError {
  override readonly name = "CapabilityMissingError";
}

/** The requests of this minute are used up, and were in every try. */
export class RateLimitedError extends LiaisonError {
  override readonly name = "RateLimitedError";
}

/** No such resource, or no such path. */
export class NotFoundError extends LiaisonError {
  override readonly name = "NotFoundError";
}

/** The request is none that the API takes: its method, body, encoding, cursor or types of changes. */
export class BadRequestError extends LiaisonError {
  override readonly name = "BadRequestError";
}

/** Fields are not acceptable. */
export class ValidationError extends LiaisonError {
  override readonly name = "ValidationError";
  /** By field, all that is wrong with it. */
  get errors(): Record<string, string[]> {
    return (membersOf(this.body).errors ?? {}) as Record<string, string[]>;
  }
}

/** Another company has the tax id, or another invoice the number. */
export class ConflictError extends LiaisonError {
  override readonly name = "ConflictError";
  /** The one that has it. */
  get holder(): TaxIdHolder | NumberHolder {
    return membersOf(this.body).data as TaxIdHolder | NumberHolder;
  }
}

/** The resource is in another state than that of `ifMatch`. */
export class ResourceChangedError extends LiaisonError {
  override readonly name = "ResourceChangedError";
}

/** The change that the feed's cursor stands behind is not there: read everything again, and follow from there. */
export class CursorTooOldError extends LiaisonError {
  override readonly name = "CursorTooOldError";
}

/** The request is well-formed, and not possible as things stand. */
export class RefusedError extends LiaisonError {
  override readonly name = "RefusedError";
  /** Why, as a sentence. */
  get details(): string | null {
    return (membersOf(this.body).details ?? null) as string | null;
  }
}

/** The key was used for another request, is none, or its first request was being worked on in every try. */
export class IdempotencyKeyError extends LiaisonError {
  override readonly name = "IdempotencyKeyError";
}

/** The server, or its database, failed. */
export class ServerError extends LiaisonError {
  override readonly name = "ServerError";
}

/** The family of each error of the table (docs/errors.md). */
const FAMILIES: Record<ErrorCode | "route_unknown", typeof LiaisonError> = {
  key_missing: AuthenticationError,
  key_format_invalid: AuthenticationError,
  tenant_unknown: AuthenticationError,
  key_unknown: AuthenticationError,
  key_inactive: AuthenticationError,
  tenant_suspended: AuthenticationError,
  address_not_allowed: AuthenticationError,
  rate_limited: RateLimitedError,
  capability_missing: CapabilityMissingError,
  route_unknown: NotFoundError,
  resource_missing: NotFoundError,
  method_not_allowed: BadRequestError,
  body_too_large: BadRequestError,
  encoding_unsupported: BadRequestError,
  bad_request: BadRequestError,
  cursor_invalid: BadRequestError,
  change_type_unknown: BadRequestError,
  validation_failed: ValidationError,
  tax_id_taken: ConflictError,
  invoice_number_taken: ConflictError,
  resource_changed: ResourceChangedError,
  cursor_too_old: CursorTooOldError,
  deletion_blocked: RefusedError,
  webhook_inactive: RefusedError,
  webhook_secrets_too_many: RefusedError,
  invoice_sent: RefusedError,
  invoice_not_sendable: RefusedError,
  idempotency_key_in_progress: IdempotencyKeyError,
  idempotency_key_invalid: IdempotencyKeyError,
  idempotency_key_reused: IdempotencyKeyError,
  unexpected: ServerError,
  unavailable: ServerError,
};

/** The error of an answer; of a code that is newer than this client the base class. */
export function errorOf(refusal: Refusal): LiaisonError {
  const { code, status } = refusal;
  const known = code !== null && Object.hasOwn(FAMILIES, code) ? FAMILIES[code as ErrorCode] : undefined;
  const family = known ?? (status >= 500 ? ServerError : LiaisonError);
  return new family(refusal);
}

function membersOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
