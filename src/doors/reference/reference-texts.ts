import type { ApiInfo, DescribedRoute } from "../../kit/openapi/reference.ts";
import { markdownOf } from "./markdown-blocks.ts";
import { namesAddress, withAddress } from "./named-address.ts";
import { referencePages, type ReferencePage } from "./reference-pages.ts";

/** The pages of the reference as Markdown, by their path below /docs (`guides/editing`); the first one is `start`. */
export type ReferenceTexts = {
  list: () => { name: string; title: string }[];
  /** Null for an unknown name. */
  read: (name: string) => string | null;
};

/** Nothing is made before its first use. */
export function referenceTexts(
  api: ApiInfo,
  routes: readonly DescribedRoute[],
  base: string,
): { list: ReferenceTexts["list"]; read: (name: string, address: string) => string | null } {
  let made: ReferencePage[] | null = null;
  const all = () => (made ??= referencePages(api, routes));
  return {
    list: () => all().map(({ path, title }) => ({ name: nameOf(path), title })),
    read(name, address) {
      const page = all().find(({ path }) => nameOf(path) === name);
      if (page === undefined) return null;
      const text = markdownOf(page, page.blocks(), base);
      return namesAddress(page.path, text) ? withAddress(text, address) : text;
    },
  };
}

function nameOf(path: string): string {
  return path === "/docs" ? "start" : path.slice("/docs/".length);
}
