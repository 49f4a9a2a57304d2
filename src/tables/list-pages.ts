import type { Page } from "../web/page.ts";
import { columnsPage } from "./columns.ts";
import { listPage } from "./list-page.ts";
import type { ListOf } from "./list.ts";
import { selectionIn } from "./selection.ts";
import { deleteViewPage, renameViewPage, saveViewPage, viewPage } from "./view-pages.ts";

type ListRoute = { method: "GET" | "POST"; path: string; for: "members"; page: Page };

/** The addresses of a list, its views, its columns, its file and its actions. */
export function listPages<Item>(list: ListOf<Item>, show: Page = listPage(list)): ListRoute[] {
  const { name, file, change } = list;
  const route = (method: "GET" | "POST", path: string, page: Page): ListRoute => {
    return { method, path: `/${name}${path}`, for: "members", page };
  };
  const selected: ListRoute[] =
    file === undefined
      ? []
      : [
          route("GET", "/export", async (deps, request) => file(deps, request, { query: request.query })),
          route("POST", "/export", async (deps, request) => file(deps, request, selectionIn(request.form))),
        ];
  const changed: ListRoute[] =
    change === undefined
      ? []
      : [route("POST", "/bulk", async (deps, request) => await change.act(deps, request, selectionIn(request.form)))];
  return [
    route("GET", "", show),
    ...selected,
    ...changed,
    route("POST", "/columns", columnsPage(list)),
    route("POST", "/views", saveViewPage(list)),
    route("GET", "/views/{id}", viewPage(list)),
    route("POST", "/views/{id}", renameViewPage(list)),
    route("POST", "/views/{id}/delete", deleteViewPage(list)),
  ];
}
