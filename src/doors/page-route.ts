import type { OpenPage, Page } from "../kit/web/page.ts";

/**
 * `accepts`: a form with a file, which the page itself receives (web/page.ts). `from`: a write that need not come from
 * our own page, because its address has a secret or because it is signed. `creates`: the form has a once-only key.
 * `edits`: the form has the values of the record in the path.
 */
export type PageRoute = {
  method: "GET" | "POST";
  path: string;
  accepts?: "file";
  from?: "anywhere";
  creates?: true;
  edits?: true;
} & ({ for: "everybody"; page: OpenPage } | { for: "signed-in" | "members" | "admins" | "operators"; page: Page });
