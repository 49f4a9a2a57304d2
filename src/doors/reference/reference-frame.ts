import { assets } from "../../kit/web/assets.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import type { PageGroup, ReferencePage } from "./reference-pages.ts";

const NAVIGATED: readonly PageGroup[] = [null, "Guides", "API", "More"];

type Framed = {
  /** The path below the base; null for a page without a Markdown twin. */
  path: string | null;
  title: string;
  main: Content;
  pages: readonly ReferencePage[];
  base: string;
  query?: string;
};

/** A complete page: the navigation on the left, and the search above it. The reference is in English. */
export function referenceFrame({ path, title, main, pages, base, query = "" }: Framed): Html {
  return html`<!doctype html>
<html lang="en" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Liaison API</title>
<link rel="icon" href="${base + assets.pathOf("favicon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${base + assets.pathOf("reference.css")}">
${path !== null && html`<link rel="alternate" type="text/markdown" href="${`${base}${path}.md`}">`}
<script type="module" src="${base + assets.pathOf("reference.js")}"></script>
</head>
<body data-copied="${shellWords.en.copied}" data-base="${base}">
<a class="skip" href="#main">${shellWords.en.skip}</a>
<header class="top">
<a class="brand" href="${`${base}/docs`}">${icon("mark", base)}Liaison <span>API</span></a>
<form role="search" action="${`${base}/docs/search`}"><input type="search" name="q" value="${query}" maxlength="100" aria-label="Search the reference" placeholder="Search" aria-keyshortcuts="/" autocomplete="off"></form>
<a class="back-to" href="${`${base}/`}">Open Liaison</a>
<button type="button" class="contents" popovertarget="pages">Contents</button>
</header>
<nav id="pages" popover aria-label="Reference">${NAVIGATED.map((group) => groupHtml(group, { pages, base, path }))}</nav>
<main id="main" tabindex="-1">
<h1>${path === "/docs" ? "The Liaison API" : title}</h1>
${main}
</main>
${copyTemplate(base)}
</body>
</html>
`;
}

/** The button that assets/reference.js puts into each sample. A page has up to 70 samples. */
function copyTemplate(base: string): Html {
  const { copy } = shellWords.en;
  return html`<template id="copy"><button type="button" class="copy" data-copy title="${copy}">${icon("copy", base)}<span class="hidden">${copy}</span></button></template>`;
}

function groupHtml(group: PageGroup, { pages, base, path }: Pick<Framed, "pages" | "base" | "path">): Html {
  const items = pages
    .filter((page) => page.group === group)
    .map((page) => {
      // A page of an error or of a chapter belongs to the index above it.
      const isHere = page.path === path || (group === "More" && path?.startsWith(`${page.path}/`) === true);
      return html`<li><a href="${`${base}${page.path}`}"${isHere && html` aria-current="page"`}>${page.title}</a></li>`;
    });
  return html`${group !== null && html`<h2>${group}</h2>`}<ul>${items}</ul>`;
}
