import type { ErrorCode, ExternalIdHolder, NumberHolder, TaxIdHolder } from "./schemas.generated.ts";

/** An error response, or a missing response. */
export type Refusal = {
  /** The HTTP status; 0 without a response. */
  status: number;
  /**
   * `X-Error-Code`: decide by it, or by the class. Null if the response is not from Liaison, for example from a proxy.
   */
  code: string | null;
  /** The parsed body; the text if it is not JSON. */
  body: unknown;
  /** Seconds to wait, if the response has them. */
  retryAfter: number | null;
  /** The request's id in the server's log. */
  requestId: string | null;
  /** The key of a write: a repetition of the call with this key has no second effect. */
  idempotencyKey: string | null;
};

/** The names of the classes below. Bundlers rename the classes, but not these texts. */
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

/** Any error of one request; the classes below are its kinds. */
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

/** No attempt got a response. The write may have happened; to find out, repeat the call with its `idempotencyKey`. */
export class NoAnswerError extends LiaisonError {
  override readonly name = "NoAnswerError";
}

/** The key is missing, unknown, expired or not valid for this address, or the tenant is suspended. */
export class AuthenticationError extends LiaisonError {
  override readonly name = "AuthenticationError";
}

/** The key lacks the capability. */
export class CapabilityMissingError extends LiaisonError {
  override readonly name = "CapabilityMissingError";
}

/** The request limit per minute was exceeded in every attempt. */
export class RateLimitedError extends LiaisonError {
  override readonly name = "RateLimitedError";
}

/** The resource or the path does not exist. */
export class NotFoundError extends LiaisonError {
  override readonly name = "NotFoundError";
}

/** The API does not accept the request: its method, body, encoding, cursor or types of changes. */
export class BadRequestError extends LiaisonError {
  override readonly name = "BadRequestError";
}

/** Some fields are invalid. */
export class ValidationError extends LiaisonError {
  override readonly name = "ValidationError";
  /** All messages by field. */
  get errors(): Record<string, string[]> {
    return (membersOf(this.body).errors ?? {}) as Record<string, string[]>;
  }
}

/** Another company has the tax id, or another invoice has the number. */
export class ConflictError extends LiaisonError {
  override readonly name = "ConflictError";
  /** The company or invoice that has it. */
  get holder(): TaxIdHolder | NumberHolder | ExternalIdHolder {
    return membersOf(this.body).data as TaxIdHolder | NumberHolder;
  }
}

/** The resource has changed since the state of `ifMatch`. */
export class ResourceChangedError extends LiaisonError {
  override readonly name = "ResourceChangedError";
}

/** The change of the feed's cursor no longer exists: read everything again, and follow the feed from there. */
export class CursorTooOldError extends LiaisonError {
  override readonly name = "CursorTooOldError";
}

/** The request is valid, but not possible in the current state. */
export class RefusedError extends LiaisonError {
  override readonly name = "RefusedError";
  /** The reason as a sentence. */
  get details(): string | null {
    return (membersOf(this.body).details ?? null) as string | null;
  }
}

/**
 * The key was used for another request, has an invalid format, or its first request was still running in every attempt.
 */
export class IdempotencyKeyError extends LiaisonError {
  override readonly name = "IdempotencyKeyError";
}

/** The server or its database failed. */
export class ServerError extends LiaisonError {
  override readonly name = "ServerError";
}

/** The class of each error code (docs/errors.md). */
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
  external_id_taken: ConflictError,
  invoice_number_taken: ConflictError,
  resource_changed: ResourceChangedError,
  cursor_too_old: CursorTooOldError,
  deletion_blocked: RefusedError,
  company_merged: RefusedError,
  contact_merged: RefusedError,
  merge_not_undoable: RefusedError,
  webhook_inactive: RefusedError,
  webhook_secrets_too_many: RefusedError,
  invoice_sent: RefusedError,
  invoice_not_sendable: RefusedError,
  payment_refused: RefusedError,
  custom_field_in_use: RefusedError,
  order_not_cancellable: RefusedError,
  idempotency_key_in_progress: IdempotencyKeyError,
  idempotency_key_invalid: IdempotencyKeyError,
  idempotency_key_reused: IdempotencyKeyError,
  unexpected: ServerError,
  unavailable: ServerError,
};

/** The error of a response. A code that this client does not know gets the base class. */
export function errorOf(refusal: Refusal): LiaisonError {
  const { code, status } = refusal;
  const known = code !== null && Object.hasOwn(FAMILIES, code) ? FAMILIES[code as ErrorCode] : undefined;
  const family = known ?? (status >= 500 ? ServerError : LiaisonError);
  return new family(refusal);
}

function membersOf(body: unknown): Record<string, unknown> {
  return typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
}
