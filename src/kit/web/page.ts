import type { Query } from "../../platform/http/lists/pagination.ts";
import type { Body } from "../../platform/http/outgoing.ts";
import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import type { Form } from "./forms/form.ts";
import type { Receive } from "./forms/receive.ts";
import type { Area, Look } from "./frame/layout.ts";
import type { Html } from "./html.ts";
import type { Language } from "./language.ts";
import type { Notice } from "./notice.ts";
import type { Session } from "./session.ts";

/**
 * One page, or the target of a form: it parses, calls the same writes, lists and checks as the API, and shows the
 * result. A missing resource is thrown as in the API (src/kit/errors.ts), and becomes an error page.
 */
export type Page = (deps: Deps, request: PageRequest) => Promise<PageAnswer>;

/** A request of a signed-in user, after the checks of doors/pages-scope.ts. */
export type PageRequest = Omit<VisitorRequest, "session"> & { actor: Actor; session: Session };

/** A page that needs no session: signing in, accepting an invitation. */
export type OpenPage = (deps: Deps, request: VisitorRequest) => Promise<PageAnswer>;

/** The properties of any request for a page. */
export type VisitorRequest = {
  /** The path's parameters by name. */
  params: Readonly<Record<string, string>>;
  query: Query;
  /** The posted form; empty for a GET. */
  form: Form;
  language: Language;
  /** The requested path with its query. */
  address: string;
  /** This server's URL as browsers see it: `https://crm.example`. */
  origin: string;
  /** The client's network address, according to trusted proxies. */
  network: string;
  userAgent: string;
  /** Whether the request comes from this machine itself (platform/http/loopback.ts). */
  isFromLoopback: boolean;
  cookie: (name: CookieName) => string | null;
  session: Session | null;
  /** Whether the form is of a record that was merged meanwhile into the one of the path. */
  isOfMerged?: true;
  /** Receives the form of a page that accepts a file (src/doors/page-route.ts, `accepts`); `form` is empty there. */
  receive: Receive;
  /**
   * Does the work of a received form once, as `creates` does of other forms (src/doors/page-route.ts).
   * @param sent a text that differs if another file or another choice is sent
   */
  once: (deps: Deps, form: Form, sent: string, work: (deps: Deps) => Promise<PageAnswer>) => Promise<PageAnswer>;
};

/**
 * `session`: the signed-in user; `browser`: a browser that has signed in before; `notice`: a line for the next page;
 * `provider`: a sign-in at an identity provider that has begun; `passkey`: the challenge for a passkey.
 */
export type CookieName = "session" | "browser" | "notice" | "provider" | "passkey";

/** A cookie to set, or null to remove it; `maxAge` in seconds. */
export type Cookies = Partial<Record<CookieName, { value: string; maxAge: number } | null>>;

export type PageAnswer = Shown | Redirected | Downloaded;

/** A page: `status` is 200 by default, 422 for a rejected form, and 409, 429 or 503 for other obstacles. */
export type Shown = {
  status?: number;
  title: string;
  /** The current area of the navigation; null hides the navigation. */
  area: Area | null;
  main: Html;
  /** The number of orders in need of attention, up to MOST_IN_NEED, if the page has counted them for the navigation. */
  ordersInNeed?: number | undefined;
  /** Whether the page shows a process that is running: browsers then update it (assets/progress.js). */
  isUnderWay?: boolean;
  /** Whether it needs the rules of CSS of a long list, of a record, or of an invoice's form alone (assets.ts). */
  look?: Look;
  cookies?: Cookies;
  headers?: Record<string, string>;
};

/** A 303 to an own path, with a notice for that page; to another server only for single sign-on. */
export type Redirected = { to: string; notice?: Notice; cookies?: Cookies };

/** A file. */
export type Downloaded = { file: string; contentType: string; body: Body };
