import { hash } from "node:crypto";
import type { Deps } from "../kit/deps.ts";
import type { AnswerOnce } from "../kit/stored-answers/answer-once.ts";
import { onceIn, typedBody } from "../kit/web/forms/once.ts";
import { storedHtml } from "../kit/web/html.ts";
import type { PageAnswer, PageRequest, Redirected, Shown } from "../kit/web/page.ts";
import { HttpError } from "../platform/http/http-error.ts";

/** No API key has this id: the keys of forms are apart from the idempotency keys of clients. */
const NO_API_KEY = "0";

/** The form was shown again, a rejection: nothing was created. */
class FormAgain extends HttpError {
  readonly answer: PageAnswer;

  constructor(answer: PageAnswer) {
    super(422, {});
    this.answer = answer;
  }
}

type Stored = Redirected | (Omit<Shown, "main"> & { main: string });

/**
 * The answer to a form that creates. A second click, a reload, or a retry after a lost answer sends the same form, and
 * gets the first answer (docs/decisions/0058-kept-answers.md). Another text in the form is another creation: people go
 * back and change it.
 */
export async function createdOnce(
  deps: Deps,
  request: PageRequest,
  { answerOnce, body }: { answerOnce: AnswerOnce; body: string },
  work: (deps: Deps) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const key = onceIn(request.form);
  if (key === null) return await work(deps);
  const { tenant, user } = request.session;
  const sent = hash("sha256", `${request.address}\n${typedBody(body)}`, "hex");
  // The answer is looked for before the work: a second try may be rejected because of what the first one created.
  const keyed = {
    apiKey: NO_API_KEY,
    key: `form:${user.id}:${key}:${sent}`,
    request: sent,
    status: 303,
    isLarge: true,
  };
  try {
    const { json } = await answerOnce(deps, tenant, keyed, async (tools) => {
      const answer = await work(tools);
      // A form that is shown again has a status, and a page that shows a secret once has none.
      if ("file" in answer || ("main" in answer && answer.status !== undefined)) throw new FormAgain(answer);
      const stored = "main" in answer ? { ...answer, main: String(answer.main) } : answer;
      return { status: 303, json: JSON.stringify(stored) };
    });
    const stored = JSON.parse(json as string) as Stored;
    return "main" in stored ? { ...stored, main: storedHtml(stored.main) } : stored;
  } catch (error) {
    if (error instanceof FormAgain) return error.answer;
    throw error;
  }
}
