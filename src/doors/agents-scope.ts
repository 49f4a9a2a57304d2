import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../kit/config.ts";
import { depsOf, type Deps } from "../kit/deps.ts";
import { createAnswerOnce } from "../kit/stored-answers/answer-once.ts";
import type { Authenticator } from "../people/api-keys/authenticate.ts";
import { capabilities } from "../people/api-keys/capability.ts";
import { now } from "../platform/clock.ts";
import { send } from "../platform/http/answers.ts";
import { BODY_LIMIT, acceptBodies } from "../platform/http/body.ts";
import { originOf } from "../platform/http/caller.ts";
import { allowOrigins } from "../platform/http/cross-origin.ts";
import { HttpError, protocolErrors } from "../platform/http/http-error.ts";
import { createBodyParser } from "../platform/http/json-body.ts";
import type { ResponseWriter } from "../platform/http/outgoing.ts";
import { createBytesReader } from "../platform/http/packed-body.ts";
import { answerInJson } from "../platform/http/server.ts";
import type { Unrouted } from "../platform/http/unrouted.ts";
import { agentSession } from "./agents/open-session.ts";
import type { Serve } from "./agents/serve.ts";
import type { AgentSession, JsonObject } from "./agents/session.ts";
import { apiInfo } from "./api-info.ts";
import type { Shared } from "./checks.ts";
import { createKeyChecks, principalOf } from "./key-checks.ts";
import { referenceTexts } from "./reference/reference-texts.ts";
import { routes } from "./routes.ts";

const PATH = "/mcp";
const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/** The headers of the protocol that pages of allowed origins may send, and may read. */
const ASKED = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];
const EXPOSED = ["X-Error-Code", "WWW-Authenticate", "Retry-After"];

/** The library copies and checks each member of `_meta` and of other open objects several times: 2 to 7 µs for each. */
const MOST_MEMBERS = 1_000;

/** The MCP library is loaded by the first request: it takes a quarter of a second and 31 MB. */
let loading: Promise<{ serve: Serve }> | undefined;

/**
 * The door for assistants (docs/agents.md): `POST /mcp`, with the checks of the API in the same order. A tool calls the
 * endpoints of the API, so that each rule is written once.
 */
export function registerAgents(
  server: FastifyInstance,
  deps: Deps,
  authenticator: Authenticator,
  unrouted: Unrouted,
  shared: Shared,
): void {
  const { config } = deps;
  const { authenticate, limitRate } = createKeyChecks(deps, authenticator, shared);
  const documents = referenceTexts(apiInfo, routes, server.base);
  const handler = createHandler(deps, authenticator, shared, documents);
  void server.register(
    async (agents) => {
      agents.decorateRequest("principal", null);
      agents.decorateRequest("rate", null);
      allowOrigins(agents, config.corsOrigins, EXPOSED, ASKED);
      const help = `<${server.base}/docs/guides/agents>; rel="help"`;
      answerInJson(agents, unrouted);
      acceptBodies(agents);
      // The protocol's own errors are in none of our tables.
      agents.addHook("onSend", async (_request, reply) => {
        if (reply.statusCode >= 400 && !reply.hasHeader("link")) reply.header("link", help);
      });
      const identify = namingMetadata(authenticate, config);
      const checks = shared.inOrder("POST", { identify, limitRate, authorize: () => undefined });
      agents.route({ method: "POST", url: "", bodyLimit: BODY_LIMIT, ...checks, handler });
    },
    { prefix: PATH },
  );
}

/**
 * The check of the key. A wrong key is answered with the address of the metadata, by which a client finds out how to
 * get a right one.
 */
function namingMetadata(authenticate: (request: FastifyRequest) => Promise<void>, config: Config) {
  return async (request: FastifyRequest): Promise<void> => {
    const { origin } = request.headers;
    if (origin !== undefined && !config.corsOrigins.includes(origin)) {
      throw new HttpError(403, { error: "Origin not allowed." });
    }
    try {
      await authenticate(request);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 401) throw error;
      const challenge = `Bearer resource_metadata="${originOf(request, config)}${METADATA_PATH}"`;
      const named = new HttpError(error.status, JSON.parse(error.json) as object, { "www-authenticate": challenge });
      throw Object.assign(named, { code: error.code });
    }
  };
}

/** Makes the handler of messages: each is answered in a session of its own. */
function createHandler(
  deps: Deps,
  authenticator: Authenticator,
  { outgoing }: Pick<Shared, "outgoing">,
  documents: ReturnType<typeof referenceTexts>,
) {
  const { config, database, sharing } = deps;
  const bytesOf = createBytesReader(sharing.time);
  // A part of a message would be another message: its items stand three levels deep.
  const parseBody = createBodyParser(sharing.time, false);
  const answerOnce = createAnswerOnce();

  function sessionOf(request: FastifyRequest, out: ResponseWriter): AgentSession {
    const principal = principalOf(request);
    const { tenant, by } = principal.actor;
    return agentSession({
      ...principal,
      deps: { ...depsOf(deps, tenant), database: database.forCaller(out) },
      actor: { ...principal.actor, by: { ...by, via: "mcp" } },
      noteUse: (capability) => authenticator.noteUse(principal, capability),
      rate: request.rate,
      trace: request.trace,
      origin: originOf(request, config),
      calledAt: now(),
      documents: { ...documents, read: (name) => documents.read(name, originOf(request, config)) },
      answerOnce,
      caller: out,
      reserve: async (size) => await out.reserve(size),
    });
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const out = outgoing(request, reply);
    const { tenant } = principalOf(request).actor;
    const message = await parseBody(await bytesOf(request, tenant, out), tenant, out);
    if (message !== null && hasManyMembers(message)) throw protocolErrors.bodyTooLarge();
    loading ??= import("./agents/serve.ts");
    const { serve } = await loading;
    const { status, headers, text } = await serve(message, request.headers, sessionOf(request, out));
    reply.code(status).headers(headers);
    return text === "" ? reply.send() : await out.send(text);
  };
}

/**
 * Whether a message has more members and elements than MOST_MEMBERS. Those within an argument do not count: the tool
 * checks them.
 */
function hasManyMembers(message: JsonObject): boolean {
  const { params } = message;
  const given = isContainer(params) ? { ...params, arguments: Object.keys(Object(params.arguments)) } : params;
  const found: unknown[] = [{ ...message, params: given }];
  for (let at = 0; at < found.length && found.length <= MOST_MEMBERS; at++) {
    const value = found[at];
    if (isContainer(value)) found.push(...Object.values(value));
  }
  return found.length > MOST_MEMBERS;
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

/** The metadata of RFC 9728: the door accepts bearer tokens; the list of capabilities. */
export function registerMetadata(server: FastifyInstance, config: Config): void {
  server.get(METADATA_PATH, async (request, reply) => {
    const origin = originOf(request, config);
    reply.header("access-control-allow-origin", "*").header("cache-control", "no-cache");
    return send(
      reply,
      200,
      JSON.stringify({
        resource: `${origin}${PATH}`,
        resource_name: "Liaison",
        resource_documentation: `${origin}/docs/guides/agents`,
        bearer_methods_supported: ["header"],
        scopes_supported: capabilities,
      }),
    );
  });
}
