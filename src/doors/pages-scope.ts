import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { wayOn, whoMay } from "../desk/find/way-on.ts";
import { leadingToKept } from "../desk/merging/leading-to-kept.ts";
import { countWebhooksInNeed } from "../exchange/webhooks/webhook-queries.ts";
import type { Config } from "../kit/config.ts";
import { depsOf, type Deps } from "../kit/deps.ts";
import { errors } from "../kit/errors.ts";
import { createAnswerOnce, type AnswerOnce } from "../kit/stored-answers/answer-once.ts";
import { viewLinks } from "../kit/tables/view-links.ts";
import { listViews, viewOf } from "../kit/tables/view-queries.ts";
import { assets } from "../kit/web/assets.ts";
import { readCookie } from "../kit/web/cookies.ts";
import { parseForm } from "../kit/web/forms/form.ts";
import { AdminsOnly, pageErrors } from "../kit/web/forms/page-errors.ts";
import { receiveLimits, receiving } from "../kit/web/forms/receive.ts";
import type { Viewer } from "../kit/web/frame/layout.ts";
import { requestedLanguage, type Language } from "../kit/web/language.ts";
import { notice } from "../kit/web/notice.ts";
import type { PageAnswer, PageRequest, VisitorRequest } from "../kit/web/page.ts";
import { SECURITY, secured } from "../kit/web/security-headers.ts";
import type { Session } from "../kit/web/session.ts";
import { countInNeed, MOST_IN_NEED } from "../orders/invoices/shown-queries.ts";
import { findSession } from "../people/sessions/session.ts";
import { BODY_LIMIT, SIGNED_OUT_FORM_LIMIT, acceptBodies } from "../platform/http/body.ts";
import { addressOf, callerOf, originOf } from "../platform/http/caller.ts";
import { HttpError, protocolErrors } from "../platform/http/http-error.ts";
import { parseQuery } from "../platform/http/lists/pagination.ts";
import { isFromLoopback } from "../platform/http/loopback.ts";
import { refusalHeaders } from "../platform/http/rates/rate-limit.ts";
import type { Unrouted } from "../platform/http/unrouted.ts";
import { splitOnce } from "../platform/http/url.ts";
import { oneValue, type Row } from "../platform/postgres/statement.ts";
import type { Shared } from "./checks.ts";
import { createdOnce } from "./created-once.ts";
import { noticeWords } from "./notices.ts";
import { answerPage, answerWithErrorPage, leaveNotice, type Frame } from "./page-answers.ts";
import type { PageRoute } from "./page-route.ts";
import { lists, pages } from "./pages.ts";
import { isSameOrigin } from "./same-origin.ts";

declare module "fastify" {
  interface FastifyRequest {
    session: Session | null;
  }
}

/**
 * The pages, a separate scope with forms as bodies and HTML answers. The order of the code is the order of a request's
 * checks (docs/web.md 6): its turn (turns.ts), the session, the origin of a write, its rate, the role, one of the
 * tenant's places, the form. Returns the answer to an unknown path.
 */
export function registerWeb(server: FastifyInstance, deps: Deps, shared: Shared): (unrouted: Unrouted) => Unrouted {
  const { findVisitor, identify, limitRate, requireRole } = createVisitorChecks(deps, shared);
  const handlerOf = createHandlers(deps, shared);

  function add(scope: FastifyInstance, route: PageRoute): void {
    scope.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      bodyLimit: route.for === "everybody" ? SIGNED_OUT_FORM_LIMIT : BODY_LIMIT,
      ...shared.inOrder(route.method, {
        identify: route.from === "anywhere" ? findVisitor : identify,
        limitRate,
        authorize: requireRole(route),
      }),
      handler: handlerOf(route),
    });
  }

  server.decorateRequest("session", null);
  void server.register(async (web) => {
    secured(web);
    web.setErrorHandler(async (error, request, reply) => await answerError(deps, error, request, reply));
    acceptBodies(web);
    assets.register(web, shared.outgoing);
    for (const route of pages) if (route.accepts !== "file") add(web, route);
    await web.register(async (files) => {
      await files.register(multipart, receiveLimits);
      for (const route of pages) if (route.accepts === "file") add(files, route);
    });
  });

  /** For a browser, an error page in the frame of the signed-in user; for any other client, the API's own answer. */
  return (unrouted) => (request, reply) => {
    if (!wantsPage(request)) return unrouted(request, reply);
    reply.headers(SECURITY);
    const answer = async (error: unknown) => await answerError(deps, error, request, reply);
    return identify(request)
      .then(() => limitRate(request))
      .then(() => answer(protocolErrors.routeUnknown(request.originalUrl)), answer);
  };
}

/** The checks of a request on its session, its origin, its rate and its role. */
function createVisitorChecks({ config, database }: Deps, { limiters, turns }: Pick<Shared, "limiters" | "turns">) {
  async function findVisitor(request: FastifyRequest): Promise<void> {
    const token = readCookie(request.headers.cookie, "session", originOf(request, config));
    if (token === null) return;
    request.session = await findSession(database.forCaller(callerOf(request)), token);
    if (request.session !== null) turns.remember(request, token, request.session.tenant);
  }

  async function identify(request: FastifyRequest): Promise<void> {
    await findVisitor(request);
    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    if (isWrite && !isSameOrigin(request.headers, originOf(request, config))) throw pageErrors.foreignPage();
  }

  function limitRate({ session }: FastifyRequest): undefined {
    if (session === null || config.rateLimit === 0) return;
    const limit = limiters.keys.hit(`${session.tenant}/session-${session.id}`, config.rateLimit);
    if (!limit.allowed) throw errors.rateLimited(refusalHeaders(limit));
  }

  function requireRole(route: PageRoute) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const { session } = request;
      if (route.for === "everybody") return undefined;
      const to = request.method === "POST" ? "" : `?to=${encodeURIComponent(request.raw.url ?? "/")}`;
      const step = stepLeft(session, route.for);
      const own = originOf(request, config);
      if (session === null && request.method === "POST") leaveNotice(reply, notice("signed-out-meanwhile"), own);
      if (step !== null) return reply.redirect(`${step}${to}`, 303);
      if (route.for === "admins" && session?.user.role !== "admin") throw pageErrors.adminsOnly();
      return undefined;
    };
  }

  return { findVisitor, identify, limitRate, requireRole };
}

/**
 * The next step of the sign-in; null if it is complete. Operators and users of tenants do not open each other's pages.
 */
function stepLeft(session: Session | null, audience: PageRoute["for"]): string | null {
  const isOfOperators = audience === "operators";
  const door = isOfOperators ? "/operator/sign-in" : "/sign-in";
  if (session === null) return door;
  if (session.awaitsCode) return "/sign-in/code";
  return audience !== "signed-in" && (session.user.role === "operator") !== isOfOperators ? door : null;
}

/** Makes the handlers of the pages. */
function createHandlers(deps: Deps, { asDownload, outgoing }: Pick<Shared, "asDownload" | "outgoing">) {
  const { config, database } = deps;
  const answerOnce = createAnswerOnce();

  async function answerOf(
    route: PageRoute,
    own: Deps,
    visitor: VisitorRequest,
    request: FastifyRequest,
  ): Promise<PageAnswer> {
    if (route.for === "everybody") return await route.page(own, visitor);
    const signed = signedIn(visitor);
    if (route.creates !== true) return await route.page(own, signed);
    const once = { answerOnce, body: bodyOf(request) };
    return await createdOnce(own, signed, once, async (tools) => await route.page(tools, signed));
  }

  return (route: PageRoute) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const frame = frameOf(request, config);
      const visitor = visitorOf(route, request, frame, { config, answerOnce });
      const out = outgoing(request, reply);
      const own = { ...depsOf(deps, request.session?.tenant ?? null), database: database.forCaller(out) };
      const answer = await leadingToKept(route, own, visitor, async (of) => await answerOf(route, own, of, request));
      if ("file" in answer && typeof answer.body !== "string") await asDownload(request, reply);
      if ("main" in answer) frame.viewer = await navigated(frame.viewer, visitor, own, answer.ordersInNeed);
      return await answerPage(request, reply, answer, frame, out);
    };
}

function frameOf(request: FastifyRequest, config: Config): Frame {
  const { session, headers } = request;
  const nothingYet = { inNeed: null, views: [] };
  let viewer: Viewer | null = null;
  if (session !== null && !session.awaitsCode) {
    const { user, workspace } = session;
    const name = user.role === "operator" ? null : workspace.name;
    viewer = { ...user, isAdmin: user.role === "admin", workspace: name, ...nothingYet };
  }
  const language = session?.user.language ?? requestedLanguage(headers["accept-language"]);
  return { origin: originOf(request, config), language, viewer, noticeWords };
}

/** The request as pages read it. */
function visitorOf(
  route: PageRoute,
  request: FastifyRequest,
  { language, origin }: Frame,
  { config, answerOnce }: { config: Config; answerOnce: AnswerOnce },
): VisitorRequest {
  const visitor: VisitorRequest = {
    params: request.params as Record<string, string>,
    query: parseQuery(splitOnce(request.raw.url ?? "", "?")[1] ?? ""),
    form: parseForm(route.accepts === "file" ? "" : bodyOf(request)),
    language,
    address: request.raw.url ?? "/",
    origin,
    network: addressOf(request, config.trustedProxies),
    userAgent: request.headers["user-agent"] ?? "",
    isFromLoopback: config.publicUrl === null && isFromLoopback(request.headers, request.method, config.host),
    cookie: (name) => readCookie(request.headers.cookie, name, origin),
    session: request.session,
    receive: receiving(request),
    once: async (tools, form, body, work) =>
      await createdOnce(tools, { ...signedIn(visitor), form }, { answerOnce, body }, work),
  };
  return visitor;
}

function bodyOf({ body }: FastifyRequest): string {
  return ((body as Buffer | undefined) ?? "").toString();
}

/** After requireRole there is a signed-in user. */
function signedIn(visitor: VisitorRequest): PageRequest {
  const { session } = visitor;
  if (session === null) throw new Error("a page was reached without a session");
  const { tenant, workspace, user } = session;
  return { ...visitor, session, actor: { tenant, country: workspace.country, by: { kind: "user", id: user.id } } };
}

/**
 * The viewer with the data of the navigation on every page, read at once. A page never fails because that data cannot
 * be read.
 * @param inNeedOf the number of orders in need of attention, if it is known
 */
async function navigated(
  viewer: Viewer | null,
  { session, query, address }: Pick<VisitorRequest, "session" | "query" | "address">,
  { database, logger }: Deps,
  inNeedOf?: number,
): Promise<Viewer | null> {
  if (viewer === null || session === null || session.user.role === "operator") return viewer;
  const { tenant, user } = session;
  try {
    const calls = [listViews(user.id), ...(viewer.isAdmin ? [countWebhooksInNeed] : [])];
    const answers = await database.quick.readAll(tenant, [...(inNeedOf === undefined ? [countInNeed] : []), ...calls]);
    const counted = inNeedOf ?? numberIn(answers.shift());
    const [views = [], webhooks] = answers;
    const others = numberIn(webhooks);
    const inNeed = { count: counted + others, isMore: counted >= MOST_IN_NEED, isOfOrders: others === 0 };
    return { ...viewer, inNeed, views: viewLinks(lists, views.map(viewOf), { user, query, address }) };
  } catch (error) {
    logger.warn({ err: error }, "the counters of the navigation could not be read");
    return viewer;
  }
}

function numberIn(rows: readonly Row[] | undefined): number {
  return Number(oneValue(rows) ?? 0);
}

/** Only the pages for 403 and 404 have the usual navigation; other errors make no further queries. */
async function answerError(
  deps: Deps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const frame = frameOf(request, deps.config);
  if (error instanceof HttpError && (error.status === 403 || error.status === 404)) {
    const { session, url: address } = request;
    const query = parseQuery(splitOnce(address, "?")[1] ?? "");
    const own = { ...deps, database: deps.database.forCaller(callerOf(request)) };
    frame.viewer = await navigated(frame.viewer, { session, query, address }, own);
    return answerWithErrorPage(error, request, reply, frame, await detailsOf(error, own, request, frame.language));
  }
  return answerWithErrorPage(error, request, reply, frame, {});
}

async function detailsOf(error: HttpError, own: Deps, { session, url }: FastifyRequest, language: Language) {
  if (session === null || session.awaitsCode || session.user.role === "operator") return {};
  if (error.status === 404) return { next: await wayOn(own, session, language) };
  const address = splitOnce(url, "?")[0];
  return error instanceof AdminsOnly ? { text: await whoMay(own, session, error.what, address, language) } : {};
}

/** All answers below these paths are JSON: the client is a program, whatever its Accept header says. */
const OF_PROGRAMS = /^\/(?:api|health)(?:[/?]|$)/;

function wantsPage({ headers, method, url }: FastifyRequest): boolean {
  const looks = method === "GET" || method === "HEAD";
  return looks && headers.accept?.includes("text/html") === true && !OF_PROGRAMS.test(url);
}
