import {
  callPage,
  changeCallPage,
  endCallPage,
  keepCallPage,
  newCallPage,
  planCallPage,
} from "../desk/calls/call-pages.ts";
import { calledPage, callBackPage } from "../desk/today/today-posts.ts";
import type { PageRoute } from "./page-route.ts";

/** The pages of calls to come. */
export const callPages: readonly PageRoute[] = [
  { method: "POST", path: "/companies/{id}/call-back", for: "members", page: callBackPage, creates: true },
  { method: "POST", path: "/companies/{id}/called", for: "members", page: calledPage, creates: true },
  { method: "GET", path: "/companies/{id}/calls/new", for: "members", page: newCallPage },
  { method: "POST", path: "/companies/{id}/calls", for: "members", page: planCallPage, creates: true },
  { method: "GET", path: "/calls/{id}", for: "members", page: callPage },
  { method: "POST", path: "/calls/{id}", for: "members", page: changeCallPage },
  { method: "POST", path: "/calls/{id}/over", for: "members", page: endCallPage },
  { method: "POST", path: "/calls/{id}/keep", for: "members", page: keepCallPage },
];
