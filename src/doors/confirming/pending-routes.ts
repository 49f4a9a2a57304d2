import { createAnswerOnce } from "../../kit/stored-answers/answer-once.ts";
import { withImplied } from "../../people/api-keys/capability.ts";
import { backgroundCaller } from "../../platform/sharing/caller.ts";
import { agentSession } from "../agents/open-session.ts";
import type { PageRoute } from "../page-route.ts";
import { decidePage, type OpenSession } from "./decide-page.ts";
import { listPendingPage, showPendingPage } from "./pending-page.ts";

const answerOnce = createAnswerOnce();

/** The session in which a call is done after a person confirmed it: of its key, and of the person. */
const openSession: OpenSession = (deps, { actor, session, origin }, { keyId, capabilities }, calledAt) =>
  agentSession({
    deps,
    actor: { ...actor, by: { kind: "key", id: keyId, via: "mcp", confirmedBy: session.user.id } },
    keyId,
    capabilities: withImplied(capabilities),
    noteUse() {},
    rate: null,
    trace: null,
    confirmsOnPage: true,
    origin,
    calledAt,
    documents: { list: () => [], read: () => null },
    answerOnce,
    caller: backgroundCaller(actor.tenant),
    async reserve() {},
  });

/** The pages of assistants' requests that wait for a person (docs/agents.md). */
export const pendingPages: readonly PageRoute[] = [
  { method: "GET", path: "/agents/pending", for: "members", page: listPendingPage },
  { method: "GET", path: "/agents/pending/{id}", for: "members", page: showPendingPage },
  { method: "POST", path: "/agents/pending/{id}/confirm", for: "members", page: decidePage(openSession, true) },
  { method: "POST", path: "/agents/pending/{id}/decline", for: "members", page: decidePage(openSession, false) },
];
