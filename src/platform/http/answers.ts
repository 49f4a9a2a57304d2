import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DatabaseUnavailable } from "../postgres/failures.ts";
import { tenantAs } from "../sharing/holder.ts";
import { Overloaded } from "../sharing/overloaded.ts";
import { errorPath, HttpError, protocolErrors } from "./http-error.ts";
import { patternOf } from "./route-pattern.ts";

/** Bytes; smaller bodies are as cheap as the request itself. */
export const LARGE_BODY = 64 * 1024;

/** Sends a few bytes of JSON; larger answers go through outgoing.ts. */
export function send(reply: FastifyReply, status: number, json: string): FastifyReply {
  return asJson(reply, status).send(json);
}

/** An answer with JSON text as its body. */
export function asJson(reply: FastifyReply, status: number): FastifyReply {
  return reply.code(status).header("content-type", "application/json; charset=utf-8");
}

/** Makes caches distinguish answers by this request header, in lower case. */
export function varyBy(reply: FastifyReply, header: string): void {
  const named = reply.getHeader("vary")?.toString().split(", ") ?? [];
  if (!named.includes(header)) reply.header("vary", [...named, header].join(", "));
}

/**
 * Answers an error: an HttpError by its own status and text, any other as 4xx, 500 or 503 without a detail, which is
 * logged.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = asHttpError(error);
  if (answer.status >= 500) logFailure(error, answer, request);
  if (closesUnread(answer, request)) reply.header("connection", "close");
  // Fastify itself closes the connection of a body that it has not read.
  else if (answer.status === 413) reply.removeHeader("connection");
  if (answer.code !== null)
    reply.headers({ "x-error-code": answer.code, link: help(answer.code, request.server.base) });
  return send(reply.headers(answer.headers), answer.status, answer.json);
}

function help(code: string, base: string): string {
  return `<${base}${errorPath(code)}>; rel="help"`;
}

/**
 * The remaining body of an unauthenticated request is not read: a client without a key could send any number of them.
 * The body of an accepted request that is too large is read, up to twice its limit: many clients receive nothing before
 * they have sent everything.
 */
function closesUnread({ status }: HttpError, { raw, hasPlace, routeOptions }: FastifyRequest): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  if (status === 413 && hasPlace && encoding === undefined) return Number(length) > 2 * (routeOptions.bodyLimit ?? 0);
  if (status === 413) return true;
  return !raw.complete && (encoding !== undefined || Number(length) > LARGE_BODY);
}

/** Logs a failure of the server, with the same facts as the access log. */
export function logFailure(error: unknown, { status }: HttpError, request: FastifyRequest): void {
  const { log, id, raw, method, holder } = request;
  const facts = { request_id: id, route: `${method} ${patternOf(request)}`, status, tenant_id: tenantAs(holder) };
  if (status !== 503) return log.error({ err: error, ...facts }, "a request failed");
  // A client that hung up is not logged.
  if (!raw.socket.destroyed) log.warn({ reason: reasonOf(error), ...facts }, "a request was put off");
}

/** While the database is unavailable or overloaded, this is logged for every request: one line, no stack. */
function reasonOf(error: unknown): string {
  const { cause } = error as Error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** The answer to a thrown error. */
export function asHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof DatabaseUnavailable || error instanceof Overloaded) return protocolErrors.unavailable();
  const { statusCode = 500, code } = error as { statusCode?: number; code?: string };
  if (statusCode === 413 || code === "FST_ERR_CTP_BODY_TOO_LARGE") return protocolErrors.bodyTooLarge();
  return statusCode >= 400 && statusCode < 500 ? protocolErrors.badRequest() : protocolErrors.unexpected();
}

/** Bytes that are not HTTP never become a request; the socket gets its answer directly. */
export function answerMalformedRequest(error: NodeJS.ErrnoException, socket: Socket, base: string): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const { json, code } = protocolErrors.badRequest();
  const [status, reason] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? [431, "Request Header Fields Too Large"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [408, "Request Timeout"]
        : [400, "Bad Request"];
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n` +
      `X-Error-Code: ${code}\r\nLink: ${help(String(code), base)}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  );
}
