import type { Deps } from "../../kit/deps.ts";
import { found, type Answer } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { findPendingRequest, type PendingRequest } from "../../kit/stored-answers/pending-request-queries.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { asHttpError } from "../../platform/http/answers.ts";
import { HttpError } from "../../platform/http/http-error.ts";
import { stateOf } from "../agents/confirmation.ts";
import { onceFor } from "../agents/once.ts";
import { pendingCallOf, PENDING_PATH, type PendingCall } from "../agents/pending.ts";
import type { AgentSession } from "../agents/session.ts";
import type { WritingTool } from "../agents/tool.ts";
import { tools } from "../agents/tools.ts";

/** Opens the session of a waiting call for the person who decides. */
export type OpenSession = (deps: Deps, request: PageRequest, pending: PendingRequest, calledAt: number) => AgentSession;

/**
 * POST /agents/pending/{id}/confirm, and /decline. The outcome is stored as the answer to the assistant's call, so one
 * decision holds, however many people press, and the repeated call gets it.
 */
export function decidePage(openSession: OpenSession, isConfirmed: boolean): Page {
  return async (deps, request) => {
    const { tenant } = request.actor;
    const pending = await found("Request", request, async (id) => await findPendingRequest(tenant, deps.database, id));
    const { isDecided, isLate, isKeyOver } = pending;
    if (!isDecided && (isLate || isKeyOver)) {
      return { to: PENDING_PATH, notice: notice("pending-over", { why: isLate ? "late" : "key" }) };
    }
    const call = pendingCallOf(pending, { keyring: deps.keyring, tenant });
    if (call === null) throw errors.resourceMissing("Request", pending.id);
    const session = openSession(deps, request, pending, call.calledAt);
    const tool = writingTool(pending.tool);
    const answer = await session.answerOnce(onceFor(tool, session, call.given), async (within) =>
      isConfirmed ? await performCall(tool, session, call, within) : storedOutcome({ declined: true }),
    );
    const { declined, refused } = await session.read<{ declined?: true; refused?: { code: string } }>(answer);
    const outcome = declined === true ? "declined" : refused === undefined ? "done" : "refused";
    const before = answer.isReplayed === true ? "yes" : "no";
    return { to: PENDING_PATH, notice: notice("pending-decided", { outcome, before, why: refused?.code ?? "" }) };
  };
}

function writingTool(name: string): WritingTool {
  const tool = tools.find((each) => each.name === name);
  if (tool?.writes === undefined) throw new Error(`No tool ${name} writes.`);
  return tool;
}

/** Does what the assistant called for, if it still has the shown effect. A refusal is an outcome too. */
async function performCall(
  tool: WritingTool,
  session: AgentSession,
  { given, state }: PendingCall,
  within: Deps,
): Promise<Answer> {
  try {
    for (const capability of tool.needs) session.require(capability);
    const preview = await tool.preview?.(session, given);
    if (preview === undefined || stateOf(preview) !== state) throw errors.resourceChanged();
    return await tool.run(session, given, within);
  } catch (error) {
    if (!(error instanceof HttpError) || isPassing(error)) throw error;
    const { code, json } = asHttpError(error);
    return storedOutcome({ refused: { code, ...(JSON.parse(json) as object) } });
  }
}

/** Whether the same act may succeed a moment later: then the request waits on. */
function isPassing({ status, code }: HttpError): boolean {
  return status >= 500 || status === 429 || code === "idempotency_key_in_progress";
}

function storedOutcome(outcome: object): Answer {
  return { status: 200, json: JSON.stringify(outcome) };
}
