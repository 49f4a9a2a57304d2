export { createClient, type FieldsByNoun, type LiaisonClient } from "./client.ts";
export {
  AuthenticationError,
  BadRequestError,
  CapabilityMissingError,
  ConflictError,
  CursorTooOldError,
  IdempotencyKeyError,
  LiaisonError,
  NoAnswerError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  ResourceChangedError,
  ServerError,
  ValidationError,
  type LiaisonErrorName,
  type Refusal,
} from "./errors.ts";
export type * from "./schemas.generated.ts";
export {
  tagOf,
  type CallOptions,
  type ChangeOptions,
  type ClientOptions,
  type ResponseReport,
  type WriteOptions,
} from "./transport.ts";
export type { CursorPage, FeedQuery } from "./walks.ts";
export {
  verifyWebhook,
  WebhookVerificationError,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookMessage,
} from "./webhooks.ts";
