import type { Page } from "../web/page.ts";
import { columnsPage } from "./columns.ts";
import { listPage } from "./list-page.ts";
import type { ListOf } from "./list.ts";
import { selectionIn } from "./selection.ts";
import { deleteViewPage, renameViewPage, saveViewPage, viewPage } from "./view-pages.ts";

type ListRoute = { method: "GET" | "POST"; path: string; for: "members" | "admins"; page: Page };

/** The addresses of a list, its views, its columns, its file and its actions. */
export function listPages<Item>(list: ListOf<Item>, show: Page = listPage(list)): ListRoute[] {
  const { name, file, actions = [] } = list;
  const route = (
    method: "GET" | "POST",
    path: string,
    page: Page,
    visitors: ListRoute["for"] = "members",
  ): ListRoute => {
    return { method, path: `/${name}${path}`, for: visitors, page };
  };
  const selected: ListRoute[] =
    file === undefined
      ? []
      : [
          route("GET", "/export", async (deps, request) => file(deps, request, { query: request.query })),
          route("POST", "/export", async (deps, request) => file(deps, request, selectionIn(request.form))),
        ];
  const acted = actions.map(({ path, act, for: visitors }) =>
    route("POST", `/${path}`, async (deps, request) => await act(deps, request, selectionIn(request.form)), visitors),
  );
  return [
    route("GET", "", show),
    ...selected,
    ...acted,
    route("POST", "/columns", async (deps, request) => {
      const whole = (await list.ofWorkspace?.(list, deps, request)) ?? list;
      return await columnsPage(whole)(deps, request);
    }),
    route("POST", "/views", saveViewPage(list)),
    route("GET", "/views/{id}", viewPage(list)),
    route("POST", "/views/{id}", renameViewPage(list)),
    route("POST", "/views/{id}/delete", deleteViewPage(list)),
  ];
}
