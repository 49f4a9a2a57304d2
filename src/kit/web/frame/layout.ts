import { assets, type icons } from "../assets.ts";
import { html, type Html } from "../html.ts";
import { icon } from "../icon.ts";
import { initials } from "../initials.ts";
import { wholeNumber, type Language } from "../language.ts";
import type { NoticeLine } from "../notice.ts";
import { shellWords } from "../shell-words.ts";
import { everywhereKeys, finder } from "./dialogs.ts";
import { withFocus } from "./first-focus.ts";
import { keyboardWords } from "./keyboard-words.ts";

/** The areas of the navigation. */
export type Area =
  | "today"
  | "companies"
  | "orders"
  | "money"
  | "sales"
  | "contacts"
  | "imports"
  | "history"
  | "agents"
  | "keys"
  | "webhooks"
  | "users"
  | "warehouses"
  | "workspace"
  | "fields"
  | "signIn"
  | "profile"
  | "find"
  | "operators"
  // For error pages: the navigation is shown, without a current area.
  | "nowhere";

/** The stylesheets of pages that need fewer rules. */
export type Look = "list" | "record" | "form";

/** The signed-in person in the frame. */
export type Viewer = {
  id: string;
  name: string;
  isAdmin: boolean;
  /** Null for an operator, who has no workspace. */
  workspace: string | null;
  /** The number of items in need of attention, and whether all are orders; null if not counted. */
  inNeed: InNeed | null;
  /** Saved views of lists. */
  views: readonly ViewLink[];
  theme: "light" | "dark" | "system";
};

type InNeed = { count: number; isMore: boolean; isOfOrders: boolean };

/** `edit`: the URL to edit it, for users who may; `isHere`: it is the current page. */
export type ViewLink = { name: string; href: string; edit: string | null; isHere: boolean };

type Framed = {
  title: string;
  area: Area | null;
  main: Html;
  /** Without JavaScript the browser reloads the page regularly. */
  isUnderWay: boolean;
  /** Null: the page may need all rules. */
  look: Look | null;
  /** A line at the top, shown once after an action. */
  notice: NoticeLine | null;
  viewer: Viewer | null;
  language: Language;
};

/** A complete page with its frame. A page without an area has no navigation. */
export function layout({ title, area, main, isUnderWay, look, notice, viewer, language }: Framed): Html {
  const words = shellWords[language];
  const framed = area === null ? null : viewer;
  const isOperators = viewer?.workspace === null;
  return html`<!doctype html>
<html lang="${language}" data-theme="${viewer?.theme ?? "system"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${title} · Liaison</title>
${isUnderWay && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`}
<link rel="icon" href="${assets.pathOf("favicon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.pathOf(styleOf(look, area))}">${hasFound(String(main)) && html`<link rel="stylesheet" href="${assets.pathOf("dialogs.css")}">`}
<script type="module" src="${assets.pathOf("app.js")}"></script>
</head>
<body${framed === null ? html` class="bare"` : html` data-offline="${words.offline}" data-restored="${words.restored}" data-copied="${words.copied}"`}>
<a class="skip" href="#main">${words.skip}</a>
${framed === null ? html`<header class="brand">${brand("/")}</header>` : (isOperators ? operatorNavigation : navigation)(area, framed, language)}
<main id="main" tabindex="-1">
${framed !== null && settingsTabs(area, framed.isAdmin, language)}
<div id="notice" role="status">${
    notice !== null &&
    html`<div class="notice ${notice.meaning}">${notice.line}<a class="close" href="" aria-label="${keyboardWords[language].close}">×</a></div>`
  }</div>
${withFocus(main)}
</main>
${framed !== null && !isOperators && html`${area !== "find" && finder(language)}${everywhereKeys()}`}
</body>
</html>
`;
}

/** Whether a page lists search results, or the records that were opened last. */
function hasFound(main: string): boolean {
  return main.includes(' class="found"');
}

/** The stylesheet of a page. */
function styleOf(look: Look | null, area: Area | null): string {
  if (look === "list" && area === "today") return "today.css";
  if (look !== null) return `${look}.css`;
  return area === "imports" ? "imports.css" : "style.css";
}

const OF_EVERYBODY = ["today", "companies", "orders", "money", "contacts"] as const;
/** The keys behind `g` that open a place (assets/keys.js). */
const GO: Partial<Record<Area, string>> = {
  today: "t",
  companies: "c",
  orders: "o",
  money: "m",
  sales: "s",
  contacts: "p",
};
/** On a phone these are behind a button. */
const SELDOM = ["sales", "history", "agents"] as const;
/** The places behind "Settings". A member has imports alone. */
const SETTINGS = ["workspace", "fields", "users", "signIn", "warehouses", "imports", "keys", "webhooks"] as const;

function settingsOf(isAdmin: boolean): readonly (typeof SETTINGS)[number][] {
  return isAdmin ? SETTINGS : ["imports"];
}

/** The path of an area's first page. */
export function pathOf(area: Area): string {
  const below: Partial<Record<Area, string>> = {
    agents: "/agents/pending",
    fields: "/workspace/fields",
    warehouses: "/workspace/warehouses",
    signIn: "/workspace/sign-in",
  };
  return below[area] ?? `/${area}`;
}

/** The areas that a person has. */
export function areasOf(isAdmin: boolean) {
  return [...OF_EVERYBODY, ...SELDOM, ...settingsOf(isAdmin)];
}

function navigation(
  area: Area | null,
  { id, name, isAdmin, workspace, inNeed, views }: Viewer,
  language: Language,
): Html {
  const [words, keys] = [shellWords[language], keyboardWords[language]];
  const here = (to: Area) => to === area && html` aria-current="page"`;
  const go = (to: Area) => GO[to] !== undefined && html` data-go="${GO[to]}"`;
  const link = (to: Area & keyof typeof icons) =>
    html`<li><a href="${pathOf(to)}"${go(to)}${here(to)}>${icon(to)}<span>${words[to]}</span></a>${to === "orders" && inNeed !== null && badge(inNeed, language)}</li>`;
  // On a phone the other areas are behind a button, which works without JavaScript. Elsewhere all areas are visible.
  return html`<nav class="sidebar" aria-label="${words.navigation}" data-who="${workspace}/${id}">
<p class="brand">${brand("/today")} <span title="${workspace}">${workspace}</span></p>
<ul class="places">
<li><a href="/find" aria-keyshortcuts="Control+K"${here("find")}>${icon("search")}<span>${keys.find}</span><kbd>Ctrl K</kbd></a></li>
${OF_EVERYBODY.map(link)}
</ul>
<button type="button" class="rest-button" popovertarget="rest">${icon("more")}<span>${words.menu}</span></button>
<div class="rest" id="rest" popover>
${viewList(views, language)}
<ul>${SELDOM.map(link)}${isAdmin ? settingsLink(area, language) : link("imports")}</ul>
<ul class="own">
<li><a href="/profile"${here("profile")}>${initials(name)}<span>${name}</span></a></li>
<li><form method="post" action="/sign-out"><button>${icon("leave")}<span>${words.signOut}</span></button></form></li>
</ul>
</div>
</nav>`;
}

/** The link to the settings: to the first of them. */
function settingsLink(area: Area | null, language: Language): Html {
  const isHere = SETTINGS.some((each) => each === area);
  return html`<li><a href="${pathOf("workspace")}"${isHere && html` aria-current="true"`}>${icon("workspace")}<span>${shellWords[language].settings}</span></a></li>`;
}

/** The places of the settings, above the page of one of them; null on other pages, and for a member. */
function settingsTabs(area: Area | null, isAdmin: boolean, language: Language): Html | null {
  const words = shellWords[language];
  if (!isAdmin || !SETTINGS.some((each) => each === area)) return null;
  return html`<nav class="settings" aria-label="${words.settings}"><ul>${SETTINGS.map(
    (to) => html`<li><a href="${pathOf(to)}"${to === area && html` aria-current="page"`}>${words[to]}</a></li>`,
  )}</ul></nav>`;
}

/** A saved view links to its filters; the current one also to its edit page. */
function viewList(views: readonly ViewLink[], language: Language): Html {
  const words = shellWords[language];
  return html`<ul id="views" class="views" aria-label="${words.views}"${views.length === 0 && html` hidden`}>${views.map(
    ({ name, href, edit, isHere }) =>
      html`<li><a href="${href}" title="${name}"${isHere && html` aria-current="true"`}><span>${name}</span></a>${
        isHere &&
        edit !== null &&
        html`<a class="edit" href="${edit}">${icon("edit")}<span class="hidden">${words.editTitle(name)}</span></a>`
      }</li>`,
  )}</ul>`;
}

/** The logo and the name. */
function brand(to: string): Html {
  return html`<a href="${to}">${icon("mark")}Liaison</a>`;
}

/** The number of items in need of attention. */
function badge({ count, isMore, isOfOrders }: InNeed, language: Language): Html {
  const text = `${wholeNumber(language, count)}${isMore ? "+" : ""}`;
  const { needs, othersNeed } = shellWords[language];
  const label = isOfOrders ? needs(count, text) : othersNeed(count, text);
  const to = isOfOrders ? "/orders?state=attention" : "/today?whose=all";
  return html`<a class="badge" id="in-need" href="${to}" aria-label="${label}" title="${label}"${count === 0 && html` hidden`}>${text}</a>`;
}

function operatorNavigation(area: Area | null, { name }: Viewer, language: Language): Html {
  const words = shellWords[language];
  const here = (to: Area) => to === area && html` aria-current="page"`;
  return html`<nav class="sidebar" aria-label="${words.navigation}">
<p class="brand">${brand("/operator/tenants")}</p>
<ul class="places"><li><a href="/operator/tenants"${here("operators")}>${icon("companies")}<span>${words.operators}</span></a></li></ul>
<button type="button" class="rest-button" popovertarget="rest">${icon("more")}<span>${words.menu}</span></button>
<div class="rest" id="rest" popover>
<ul class="own">
<li><a href="/profile"${here("profile")}>${initials(name)}<span>${name}</span></a></li>
<li><form method="post" action="/sign-out"><button>${icon("leave")}<span>${words.signOut}</span></button></form></li>
</ul>
</div>
</nav>`;
}
