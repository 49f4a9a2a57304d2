import { alikeAgainPage, alikePage, notAlikePage } from "../desk/alike/alike-page.ts";
import { lookUpCompanyPage, lookUpNewCompanyPage } from "../desk/company-page/look-up-page.ts";
import { mergeCompaniesPages, mergeContactsPages } from "../desk/merging/merge-page.ts";
import { askToUndoMergePage, undoMergePage } from "../desk/merging/undo-merge-page.ts";
import type { PageRoute } from "./page-route.ts";

/** A file of its own: pages.ts is long. The pages of companies that look the same, of merges, and of look-ups. */
export const mergePages: readonly PageRoute[] = [
  { method: "GET", path: "/companies/alike", for: "members", page: alikePage },
  { method: "POST", path: "/companies/{id}/not-alike/{other}", for: "members", page: notAlikePage },
  { method: "POST", path: "/companies/{id}/alike/{other}", for: "members", page: alikeAgainPage },
  { method: "GET", path: "/companies/{id}/merge", for: "members", page: mergeCompaniesPages.ask },
  { method: "POST", path: "/companies/{id}/merge", for: "members", page: mergeCompaniesPages.merge },
  { method: "GET", path: "/contacts/{id}/merge", for: "members", page: mergeContactsPages.ask },
  { method: "POST", path: "/contacts/{id}/merge", for: "members", page: mergeContactsPages.merge },
  { method: "POST", path: "/companies/look-up", for: "members", page: lookUpNewCompanyPage },
  { method: "GET", path: "/companies/{id}/look-up", for: "members", page: lookUpCompanyPage },
  { method: "GET", path: "/merges/{id}/undo", for: "members", page: askToUndoMergePage },
  { method: "POST", path: "/merges/{id}/undo", for: "members", page: undoMergePage },
];
