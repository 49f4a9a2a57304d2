import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, writeCookies } from "../kit/web/cookies.ts";
import { errorPage, type ErrorDetails } from "../kit/web/frame/error-page.ts";
import { layout, type Viewer } from "../kit/web/frame/layout.ts";
import type { Language } from "../kit/web/language.ts";
import { noticeText, parseNotice, type Notice, type NoticeWords } from "../kit/web/notice.ts";
import type { PageAnswer, Shown } from "../kit/web/page.ts";
import { asHttpError, logFailure } from "../platform/http/answers.ts";
import type { ResponseWriter } from "../platform/http/outgoing.ts";

/** Everything about a request that the frame of its page depends on. */
export type Frame = { origin: string; language: Language; viewer: Viewer | null; noticeWords: NoticeWords };

const NOTICE_SECONDS = 60;

/** Sends the answer of a page. */
export async function answerPage(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PageAnswer,
  frame: Frame,
  out: ResponseWriter,
): Promise<FastifyReply> {
  if ("file" in answer) {
    const { file, contentType, body } = answer;
    reply.header("content-disposition", `attachment; filename="${file.replaceAll(/[^\w.-]/g, "-")}"`);
    reply.header("content-type", contentType);
    return await out.send(body);
  }
  writeCookies(reply, answer.cookies ?? {}, frame.origin);
  if (!("to" in answer)) return await out.send(show(request, reply, answer, frame));
  const { to, notice } = answer;
  if (notice !== undefined) leaveNotice(reply, notice, frame.origin);
  return reply.redirect(to, 303);
}

/** Stores a notice for the next page. */
export function leaveNotice(reply: FastifyReply, notice: Notice, origin: string): void {
  writeCookies(reply, { notice: { value: noticeText(notice), maxAge: NOTICE_SECONDS } }, origin);
}

/** Sends the page for an error: what happened, the meaning, and what to do. */
export function answerWithErrorPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Frame,
  details: ErrorDetails,
): FastifyReply {
  const answer = asHttpError(error);
  if (answer.status >= 500) logFailure(error, answer, request);
  const page = errorPage(answer.status, frame.language, frame.viewer?.workspace === null, details);
  return reply.send(
    show(request, reply.headers(answer.headers), { ...page, area: "nowhere", status: answer.status }, frame),
  );
}

/** The page in its frame, as HTML; status and headers are the reply's already. */
function show(request: FastifyRequest, reply: FastifyReply, shown: Shown, frame: Frame): string {
  const { status = 200, title, area, main, isUnderWay = false, look = null, headers = {} } = shown;
  const { language, viewer } = frame;
  const notice = readNotice(request, reply, frame);
  const page = layout({ title, area, main, isUnderWay, look, notice, viewer, language });
  reply.code(status).headers({ ...headers, "content-type": "text/html; charset=utf-8" });
  return String(page);
}

/** A notice is shown once. */
function readNotice(request: FastifyRequest, reply: FastifyReply, { origin, language, noticeWords }: Frame) {
  const text = readCookie(request.headers.cookie, "notice", origin);
  if (text === null) return null;
  writeCookies(reply, { notice: null }, origin);
  const notice = parseNotice(text);
  if (notice === null || !Object.hasOwn(noticeWords, notice.name)) return null;
  const shown = noticeWords[notice.name]?.(notice.values, language) ?? null;
  return shown === null || "meaning" in shown ? shown : { meaning: "good" as const, line: shown };
}
