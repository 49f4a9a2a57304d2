import type { Deps } from "../../kit/deps.ts";
import type { Answer, ApiRequest } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import type { AnswerOnce } from "../../kit/stored-answers/answer-once.ts";
import { isCapability, type Capability } from "../../people/api-keys/capability.ts";
import { SMALL_BODY } from "../../platform/http/json-body.ts";
import { parseQuery, type Query } from "../../platform/http/lists/pagination.ts";
import type { Caller } from "../../platform/sharing/caller.ts";
import { PRICES } from "../../platform/sharing/prices.ts";
import { API_PREFIX, routes } from "../routes.ts";
import type { AgentSession } from "./session.ts";

const routesByName = new Map(routes.map((route) => [`${route.method} ${route.path.slice(API_PREFIX.length)}`, route]));

/** The request behind a session: of an assistant, or of the person who confirms its call. */
type Behind = Pick<
  AgentSession,
  "actor" | "keyId" | "rate" | "confirmsOnPage" | "origin" | "calledAt" | "documents"
> & {
  /** Of the tenant and the caller. */
  deps: Deps;
  capabilities: ReadonlySet<Capability>;
  noteUse: (capability: Capability) => void;
  trace: ApiRequest["trace"];
  answerOnce: AnswerOnce;
  caller: Caller;
  reserve: ApiRequest["reserve"];
};

/** The session of a key: its tools call the endpoints of the API as the key would. */
export function agentSession(behind: Behind): AgentSession {
  const { deps, actor, capabilities, noteUse, rate, trace, answerOnce, caller, reserve, ...session } = behind;
  const { tenant } = actor;
  const { time } = deps.sharing;
  const may = (capability: string) => isCapability(capability) && capabilities.has(capability);
  const require = (capability: string) => {
    if (!isCapability(capability) || !may(capability)) throw errors.capabilityMissing(capability);
    noteUse(capability);
  };
  return {
    ...session,
    deps,
    actor,
    may,
    require,
    rate,
    answerOnce: async (once, work) => await answerOnce(deps, tenant, once, work),
    async read<T>({ json }: Answer) {
      const text = typeof json === "string" ? json : (await Array.fromAsync(json)).join("");
      if (text.length > SMALL_BODY)
        await time.waitForTurn(tenant, (PRICES.megabyteOfBody * text.length) / 2 ** 20, caller);
      return JSON.parse(text) as T;
    },
    async call(tools, name, { params = {}, query = {}, input = {}, ifMatch } = {}) {
      const route = routesByName.get(name);
      if (route === undefined) throw new Error(`The API has no endpoint ${name}.`);
      if (route.capability !== null) require(route.capability);
      return await route.endpoint(tools, {
        actor,
        params: Object.fromEntries(Object.entries(params).map(([key, value]) => [key, String(value)])),
        query: queryOf(query),
        input,
        may,
        rate,
        ifMatch,
        trace,
        url: () => "",
        ignoreParameters: () => {},
        reserve,
        waitWithoutPlace: async () => false,
        waitForTurn: async (items) => (await time.waitForTurn(tenant, PRICES.itemOfBatch * items, caller)) ?? undefined,
      });
    },
  };
}

function queryOf(asked: Readonly<Record<string, string | number | undefined>>): Query {
  const sent = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return parseQuery(String(new URLSearchParams(sent)));
}
