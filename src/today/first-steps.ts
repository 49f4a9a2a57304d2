import { html, type Html } from "../web/html.ts";
import type { PageRequest } from "../web/page.ts";
import { state } from "../web/state.ts";
import type { FirstSteps } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

/** The page of each step; what only admins do leads nobody else anywhere. */
const STEPS = [
  { name: "company", path: "/companies/new", isForAdmins: false },
  { name: "import", path: "/imports/new", isForAdmins: false },
  // A connection is a company's: one chooses it first.
  { name: "warehouse", path: "/companies", isForAdmins: true },
  { name: "colleague", path: "/users/new", isForAdmins: true },
] as const;

/** The first steps of a workspace, each ticked when it is done. */
export function firstSteps(steps: FirstSteps, { language, session }: PageRequest): Html {
  const words = todayWords[language];
  const isAdmin = session.user.role === "admin";
  return html`<section class="section"><header><h2>${words.stepsTitle}</h2></header>
<ol class="steps">${STEPS.map(({ name, path, isForAdmins }) => {
    const isDone = steps[name];
    const mayDo = isAdmin || !isForAdmins;
    return html`<li>${state(isDone ? "good" : "neutral", isDone ? words.isDone : words.isOpen)}
${isDone || !mayDo ? html`<span>${words.steps[name]}</span>` : html`<a href="${path}">${words.steps[name]}</a>`}
${!isDone && !mayDo && html`<span class="muted">${words.byAdmin}</span>`}</li>`;
  })}</ol></section>`;
}
