import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { Answer } from "../../kit/endpoint.ts";
import type { KeyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import { asHttpError } from "../../platform/http/answers.ts";
import { isConfirmed, nameInQuestion, seal, shownOf, stateOf } from "./confirmation.ts";
import { nextStep } from "./next-steps.ts";
import { onceFor } from "./once.ts";
import { storePendingCall, pendingAddress } from "./pending.ts";
import { failure, fewerRows, fittingResult } from "./results.ts";
import type { AgentSession, JsonObject } from "./session.ts";
import { argumentErrors } from "./tool-schemas.ts";
import type { Arguments, Preview, ReadingTool, Tool, WritingTool } from "./tool.ts";

/** How the client answers questions to its user. */
export type Elicitation = {
  /** Whether it can show a form. */
  canAsk: boolean;
  /** The answer to the form of an earlier round; undefined: not yet asked. */
  answer?: "accept" | "decline";
  /** The state of that round. */
  state?: string;
};

/** The number of rows of a list without `limit`. */
const ROWS = 10;

/** Calls a tool for its key. Whatever fails is a result with isError. @param log notes failures of the server */
export async function callTool(
  tool: Tool,
  session: AgentSession,
  args: Arguments,
  asking: Elicitation,
  log: (error: unknown) => void,
): Promise<CallToolResult | InputRequiredResult> {
  const wrong = argumentErrors(tool, args);
  if (wrong !== null) return failureOf(tool, "validation_failed", { error: "Validation failed.", errors: wrong });
  try {
    for (const capability of tool.needs) session.require(capability);
    if (tool.writes === undefined) return await readFitting(tool, session, args);
    return await writeOnce(tool, session, args, asking);
  } catch (error) {
    const answer = asHttpError(error);
    if (answer.status >= 500) log(error);
    return failureOf(tool, answer.code, JSON.parse(answer.json) as JsonObject);
  }
}

async function readFitting(tool: ReadingTool, session: AgentSession, args: Arguments): Promise<CallToolResult> {
  for (let rows = Number(args.limit ?? ROWS); ;) {
    const isSingle = rows === 1 || tool.input.limit === undefined;
    const fitting = fittingResult(await tool.run(session, args, { rows }), isSingle);
    if ("result" in fitting) return fitting.result;
    if (isSingle) return failure("result_too_large", "The result is too large.", "Ask for less.");
    rows = fewerRows(rows, fitting.tooLarge);
  }
}

/** Thrown inside the claim of the request: nothing is written, and nothing stored. */
class Unconfirmed extends Error {
  readonly preview: Preview;

  constructor(preview: Preview) {
    super("a person has to confirm this first");
    this.name = "Unconfirmed";
    this.preview = preview;
  }
}

/** The same for a call that a person confirms on the page. */
class OnPage extends Error {
  constructor() {
    super("a person has to confirm this on the page first");
    this.name = "OnPage";
  }
}

/** The call as it waits, or why it cannot. */
async function waitForPerson(
  tool: WritingTool,
  session: AgentSession,
  once: KeyedRequest,
  args: Arguments,
): Promise<CallToolResult> {
  const found = await storePendingCall(tool, session, once, args);
  if (found === null) {
    return failure(
      "too_many_pending",
      "Too many requests of this key wait for a person.",
      `Ask the person to decide about them at ${pendingAddress(session)}.`,
    );
  }
  const { request, preview } = found;
  if (request.isLate) {
    return failure("confirmation_expired", "Nobody confirmed it within a day.", "Call the tool with a new request_id.");
  }
  const person =
    request.person === null ? "the confirmation of a user" : `${nameInQuestion(request.person)}'s confirmation`;
  return resultFor({
    needs_confirmation: true,
    preview,
    confirm_at: `${pendingAddress(session)}#request-${request.id}`,
    expires_at: isoTimestamp(request.until),
    next: `It waits for ${person} at confirm_at: tell the person. Later, repeat the same call: its result says what happened.`,
  });
}

/** The outcome of a request that a person declined, or that could not be done any more; null for any other. */
function refusalOf(tool: Tool, { declined: isDeclined, refused }: JsonObject): CallToolResult | null {
  if (isDeclined === true) return declined();
  if (refused === undefined) return null;
  const { code, ...details } = refused as JsonObject & { code: string };
  return failureOf(tool, code, details);
}

function declined(): CallToolResult {
  return failure("declined", "The person declined.", "Do not call the tool again unless the person asks for it.");
}

async function writeOnce(
  tool: WritingTool,
  session: AgentSession,
  args: Arguments,
  asking: Elicitation,
): Promise<CallToolResult | InputRequiredResult> {
  const { preview } = tool;
  try {
    const answer = await session.answerOnce(onceFor(tool, session, args), async (deps) => {
      if (preview !== undefined) await requireConfirmed(tool, session, args, asking);
      return await tool.run(session, args, deps);
    });
    const data = await session.read(answer);
    return refusalOf(tool, data) ?? resultFor(data, answer);
  } catch (error) {
    if (error instanceof OnPage) return await waitForPerson(tool, session, onceFor(tool, session, args), args);
    if (!(error instanceof Unconfirmed)) throw error;
    if (asking.answer === "decline") return declined();
    const { preview: asked } = error;
    const confirm = seal(session, tool.name, args, stateOf(asked));
    if (asking.canAsk) return form(asked.question, confirm);
    return resultFor({
      needs_confirmation: true,
      preview: shownOf(asked),
      confirm,
      next: "Show the preview to the person. If the person agrees, repeat the call with the same arguments and `confirm`.",
    });
  }
}

async function requireConfirmed(
  tool: WritingTool,
  session: AgentSession,
  args: Arguments,
  asking: Elicitation,
): Promise<void> {
  if (tool.asksIf !== undefined && !(await tool.asksIf(session, args))) return;
  if (session.confirmsOnPage && !asking.canAsk) throw new OnPage();
  const preview = await tool.preview?.(session, args);
  if (preview === undefined) return;
  const sealed = asking.answer === "accept" ? asking.state : args.confirm;
  if (typeof sealed === "string" && isConfirmed(session, tool.name, args, stateOf(preview), sealed)) return;
  throw new Unconfirmed(preview);
}

function resultFor(data: JsonObject, answer?: Answer): CallToolResult {
  const all = answer?.isReplayed === true ? { ...data, replayed: true } : data;
  const fitting = fittingResult(all, true);
  if ("result" in fitting) return fitting.result;
  return failure("result_too_large", "It is done, but the result is too large to show.", "Read what was written.");
}

/** One member of the form: a client shows it as a question with yes and no. */
function form(question: string, state: string): InputRequiredResult {
  const confirm = { type: "boolean" as const, title: "Yes, do it", default: false };
  return {
    resultType: "input_required",
    inputRequests: {
      confirm: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: question,
          requestedSchema: { type: "object", properties: { confirm }, required: ["confirm"] },
        },
      },
    },
    requestState: state,
  };
}

function failureOf(tool: Tool, code: string | null, { error, message, ...details }: JsonObject): CallToolResult {
  return failure(code ?? "unexpected", String(error ?? message), nextStep(code, tool.name, details), details);
}
