import { parseQuery, type Query } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import type { Form } from "../web/forms/form.ts";
import { pageErrors } from "../web/forms/page-errors.ts";

/** The most rows of a page. */
const MOST = 200;
/** The longest query string of a list that is read from a form. */
const QUERY_MAX = 8_000;

/** The rows with these ids, or all rows that the filters of a query match at this moment. */
export type Selection = { ids: string[] } | { query: Query };

/**
 * The selection of a posted list. "All that match" counts only while every row of the page is ticked: without
 * JavaScript, nothing unticks it together with a row. Throws if more rows are ticked than a page has, or if the query
 * is too long: the page's rows alone are not what was asked for.
 */
export function selectionIn(form: Form): Selection {
  const ids = [...new Set(form.all("id").filter(isId))];
  if (ids.length > MOST) throw pageErrors.tooManyValues();
  const matching = form.get("matching") ?? "";
  const isAll = form.get("all") === "1" && ids.length > 0 && ids.length === Number(form.get("rows"));
  if (isAll && matching.length > QUERY_MAX) throw pageErrors.tooManyValues();
  return isAll ? { query: parseQuery(matching) } : { ids };
}
