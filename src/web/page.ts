import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import type { Query } from "../platform/http/lists/pagination.ts";
import type { Form } from "./forms/form.ts";
import type { Receive } from "./forms/receive.ts";
import type { Area } from "./frame/layout.ts";
import type { Html } from "./html.ts";
import type { Language } from "./language.ts";
import type { Notice } from "./notice.ts";
import type { OperatorSession, Session } from "./session.ts";

/**
 * One page, or the target of a form: it parses, calls the same writes, lists and checks as the API, and shows what came
 * of it. A resource that is not there is thrown as for the API (src/errors.ts), and becomes the page for that.
 */
export type Page = (deps: Deps, request: PageRequest) => Promise<PageAnswer>;

/** A request of somebody who is signed in, behind the checks of doors/pages-scope.ts. */
export type PageRequest = Omit<VisitorRequest, "session" | "operator"> & { actor: Actor; session: Session };

/** A page of the installation's operators, who belong to no tenant. */
export type OperatorPage = (deps: Deps, request: OperatorRequest) => Promise<PageAnswer>;

export type OperatorRequest = Omit<VisitorRequest, "session" | "operator"> & { operator: OperatorSession };

/** A page that needs no session: signing in, accepting an invitation. */
export type OpenPage = (deps: Deps, request: VisitorRequest) => Promise<PageAnswer>;

/** Everything that is known of anybody who asks for a page. */
export type VisitorRequest = {
  /** The path's parameters by name. */
  params: Readonly<Record<string, string>>;
  query: Query;
  /** The posted form; empty of a GET. */
  form: Form;
  language: Language;
  /** The path with its query, as it was asked for. */
  address: string;
  /** This server as the browser knows it: `https://crm.example`. */
  origin: string;
  /** A network address, as the proxies that are trusted say. */
  network: string;
  userAgent: string;
  cookie: (name: CookieName) => string | null;
  /** Null on the pages below /operator, whose own session is the other one. */
  session: Session | null;
  operator: OperatorSession | null;
  /** Receives the form of a page that takes a file (src/doors/pages.ts, `takes`); `form` is empty there. */
  receive: Receive;
};

/** `session`: who is signed in; `operator`: the same of an operator; `browser`: a browser that somebody signed in with before; `notice`: a line for the next page. */
export type CookieName = "session" | "operator" | "browser" | "notice";

/** A cookie to set, or with null to remove; `maxAge` in seconds. */
export type Cookies = Partial<Record<CookieName, { value: string; maxAge: number } | null>>;

export type PageAnswer = Shown | Redirected | Downloaded;

/** A page: `status` is 200 unless a form was refused (422) or something is in the way (409, 429, 503). */
export type Shown = {
  status?: number;
  title: string;
  /** The part of the house that the navigation marks; null leaves the navigation out. */
  area: Area | null;
  main: Html;
  /** Whether the page is about something that goes on: browsers ask for it again (assets/progress.js). */
  isUnderWay?: boolean;
  cookies?: Cookies;
  headers?: Record<string, string>;
};

/** 303 to a path of our own, with a line that says there what was done. */
export type Redirected = { to: string; notice?: Notice; cookies?: Cookies };

/** A file. */
export type Downloaded = { file: string; contentType: string; body: string | AsyncIterable<string> };
