import { html, type Html } from "../web/html.ts";
import type { PageRequest } from "../web/page.ts";
import { state } from "../web/state.ts";
import type { FirstSteps } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

/** The page of each step; what only admins do leads nobody else anywhere. */
const STEPS = [
  { name: "company", path: "/companies/new", isForAdmins: false },
  { name: "import", path: "/imports/new", isForAdmins: false },
  { name: "warehouse", path: "/workspace/warehouses", isForAdmins: true },
  { name: "colleague", path: "/users/new", isForAdmins: true },
] as const;

/** Whether the user still sees the first steps: some are left, and the workspace is new. */
export function hasStepsLeft(steps: FirstSteps): boolean {
  return !steps.isHidden && !steps.isOver && STEPS.some(({ name }) => !steps[name]);
}

/** The first steps of a workspace, each ticked when it is done, as a card that the user can hide. */
export function firstSteps(steps: FirstSteps, { language, session }: PageRequest): Html {
  const words = todayWords[language];
  const isAdmin = session.user.role === "admin";
  return html`<aside class="section card"><header><h2>${words.stepsTitle}</h2>
<form method="post" action="/today/hide-steps"><button class="quiet">${words.hideSteps}<span class="hidden"> ${words.stepsTitle}</span></button></form></header>
<ol class="steps">${STEPS.map(({ name, path, isForAdmins }) => {
    const isDone = steps[name];
    const mayDo = isAdmin || !isForAdmins;
    return html`<li>${state(isDone ? "good" : "neutral", isDone ? words.isDone : words.isOpen)}
${isDone || !mayDo ? html`<span>${words.steps[name]}</span>` : html`<a href="${path}">${words.steps[name]}</a>`}
${!isDone && !mayDo && html`<span class="muted">${words.byAdmin}</span>`}</li>`;
  })}</ol></aside>`;
}
