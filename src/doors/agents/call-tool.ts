import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { Answer } from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { keyedRequest, type KeyedRequest } from "../../kit/stored-answers/keyed-request.ts";
import { asHttpError } from "../../platform/http/answers.ts";
import { canonical, isConfirmed, seal } from "./confirmation.ts";
import { nextStep } from "./next-steps.ts";
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
  given: Arguments,
  asking: Elicitation,
  log: (error: unknown) => void,
): Promise<CallToolResult | InputRequiredResult> {
  const wrong = argumentErrors(tool, given);
  if (wrong !== null) return failureOf(tool, "validation_failed", { error: "Validation failed.", errors: wrong });
  try {
    for (const capability of tool.needs) session.require(capability);
    if (tool.writes === undefined) return await readFitting(tool, session, given);
    return await writeOnce(tool, session, given, asking);
  } catch (error) {
    const answer = asHttpError(error);
    if (answer.status >= 500) log(error);
    return failureOf(tool, answer.code, JSON.parse(answer.json) as JsonObject);
  }
}

async function readFitting(tool: ReadingTool, session: AgentSession, given: Arguments): Promise<CallToolResult> {
  for (let rows = Number(given.limit ?? ROWS); ;) {
    const isSingle = rows === 1 || tool.input.limit === undefined;
    const fitting = fittingResult(await tool.run(session, given, { rows }), isSingle);
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

async function writeOnce(
  tool: WritingTool,
  session: AgentSession,
  given: Arguments,
  asking: Elicitation,
): Promise<CallToolResult | InputRequiredResult> {
  const { preview } = tool;
  try {
    const answer = await session.answerOnce(onceFor(tool, session, given), async (deps) => {
      if (preview !== undefined) await requireConfirmed(tool, session, given, asking);
      return await tool.run(session, given, deps);
    });
    return told(await session.read(answer), answer);
  } catch (error) {
    if (!(error instanceof Unconfirmed)) throw error;
    if (asking.answer === "decline") {
      return failure("declined", "The person declined.", "Do not call the tool again unless the person asks for it.");
    }
    const { question, data, state } = error.preview;
    const confirm = seal(session, tool.name, given, state);
    if (asking.canAsk) return form(question, confirm);
    return told({
      needs_confirmation: true,
      preview: data,
      confirm,
      next: "Show the preview to the person. If the person agrees, repeat the call with the same arguments and `confirm`.",
    });
  }
}

async function requireConfirmed(
  tool: WritingTool,
  session: AgentSession,
  given: Arguments,
  asking: Elicitation,
): Promise<void> {
  const preview = await tool.preview?.(session, given);
  if (preview === undefined) return;
  const sealed = asking.answer === "accept" ? asking.state : given.confirm;
  if (typeof sealed === "string" && isConfirmed(session, tool.name, given, preview.state, sealed)) return;
  throw new Unconfirmed(preview);
}

function told(data: JsonObject, answer?: Answer): CallToolResult {
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

/**
 * The tool's name takes the place of a path, and its arguments in place of a body. What asks first is looked up first:
 * a repetition is answered without another question.
 */
function onceFor(tool: WritingTool, { keyId }: AgentSession, given: Arguments): KeyedRequest {
  const once = keyedRequest(`mcp:${String(given.request_id).toLowerCase()}`, {
    apiKey: keyId,
    method: "MCP",
    path: tool.name,
    params: {},
    bytes: Buffer.from(canonical(given)),
    status: 200,
  });
  if (once === null) throw errors.idempotencyKeyInvalid();
  return { ...once, isLarge: once.isLarge || tool.preview !== undefined };
}

function failureOf(tool: Tool, code: string | null, { error, message, ...details }: JsonObject): CallToolResult {
  return failure(code ?? "unexpected", String(error ?? message), nextStep(code, tool.name, details), details);
}
