import type { Actor } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import type { Answer, ApiRequest } from "../../kit/endpoint.ts";
import type { KeyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import type { Capability } from "../../people/api-keys/capability.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { ReferenceTexts } from "../reference/reference-texts.ts";

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The request of a tool to an endpoint of the API. */
export type EndpointCall = {
  params?: Readonly<Record<string, unknown>>;
  /** Undefined members are left out. */
  query?: Readonly<Record<string, string | number | undefined>>;
  input?: Input;
  ifMatch?: string | undefined;
};

/** One request of an assistant: its key, and the endpoints that this key may call. */
export type AgentSession = {
  deps: Deps;
  actor: Actor;
  keyId: string;
  may: (capability: Capability) => boolean;
  /** Throws capabilityMissing without it, and notes its use. */
  require: (capability: Capability) => void;
  /** Null: the key has no limit. */
  rate: ApiRequest["rate"];
  /** Whether a person confirms on the page what would be destroyed or sent, unless the client shows forms. */
  confirmsOnPage: boolean;
  /** This server's URL, as the client sees it. */
  origin: string;
  /** When the assistant made the call, in milliseconds: what it was shown before is good for ten minutes. */
  calledAt: number;
  /**
   * Calls an endpoint of the API (doors/routes.ts) as the key would: `GET /companies/{id}`. Throws what the endpoint
   * throws, and capabilityMissing.
   */
  call: (deps: Deps, route: string, call?: EndpointCall) => Promise<Answer>;
  /** The value of an answer's JSON, which the endpoint gives the shape `T`. A long text waits for the tenant's turn. */
  read: <T = JsonObject>(answer: Answer) => Promise<T>;
  documents: ReferenceTexts;
  /** Does the work once for the key's idempotency key; otherwise the stored answer is the result. */
  answerOnce: (once: KeyedRequest, work: (deps: Deps) => Promise<Answer>) => Promise<Answer>;
};
