import type { OpenPage, OperatorPage, Page } from "../web/page.ts";

/** `takes`: a form with a file, which the page itself receives (web/page.ts). */
export type PageRoute = { method: "GET" | "POST"; path: string; takes?: "file" } & (
  | { for: "everybody"; page: OpenPage }
  | { for: "members" | "admins"; page: Page }
  | { for: "operators"; page: OperatorPage }
);
