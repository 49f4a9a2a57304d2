import { html, type Html } from "../../kit/web/html.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { state } from "../../kit/web/state.ts";
import type { FirstSteps } from "./first-steps-queries.ts";
import { todayWords } from "./today-words.ts";

/** The page of each step, and the minutes that it takes. A step for admins is no link for others. */
const STEPS = [
  { name: "company", path: "/imports/new", minutes: 5, isForAdmins: false },
  { name: "warehouse", path: "/workspace/warehouses", minutes: 2, isForAdmins: true },
  { name: "colleague", path: "/users/new", minutes: 1, isForAdmins: true },
  { name: "order", path: "/invoices/new", minutes: 2, isForAdmins: false },
] as const;

/** Whether the user still sees the first steps: some are left, and the workspace is new. */
export function hasStepsLeft(steps: FirstSteps): boolean {
  return !steps.isHidden && !steps.isOver && STEPS.some(({ name }) => !steps[name]);
}

/** The first steps of a workspace, each ticked when it is done, as a card that the user can hide. */
export function firstSteps(steps: FirstSteps, { language, session }: PageRequest): Html {
  const words = todayWords[language];
  const isAdmin = session.user.role === "admin";
  const done = STEPS.filter(({ name }) => steps[name]).length;
  return html`<aside class="section card"><header><h2>${words.stepsTitle(done, STEPS.length)}</h2>
<form method="post" action="/today/hide-steps"><button class="quiet">${words.hideSteps}<span class="hidden"> ${words.stepsTitle(done, STEPS.length)}</span></button></form></header>
<ol class="steps">${STEPS.map(({ name, path, minutes, isForAdmins }) => {
    const isDone = steps[name];
    const mayDo = isAdmin || !isForAdmins;
    return html`<li>${state(isDone ? "good" : "neutral", isDone ? words.isDone : words.isOpen)}
<span>${!mayDo ? words.steps[name] : html`<a href="${path}">${words.steps[name]}</a>`}${
      !isDone && html` <small class="muted">${words.minutes(minutes)}</small>`
    }</span>
${!isDone && !mayDo && html`<span class="muted">${words.byAdmin}</span>`}</li>`;
  })}</ol></aside>`;
}
