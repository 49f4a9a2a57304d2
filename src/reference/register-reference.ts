import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiInfo, DescribedRoute } from "../openapi/reference.ts";
import { createSender } from "../platform/http/assets.ts";
import { parseQuery } from "../platform/http/lists/pagination.ts";
import type { Outgoing } from "../platform/http/outgoing.ts";
import { html, type Html } from "../web/html.ts";
import { htmlOf } from "./html-blocks.ts";
import { markdownOf } from "./markdown-blocks.ts";
import { referenceFrame } from "./reference-frame.ts";
import { referencePages, type ReferencePage } from "./reference-pages.ts";
import { indexOf, search, typedIndex, type FoundPlace } from "./search.ts";

type Reference = {
  api: ApiInfo;
  routes: readonly DescribedRoute[];
  /** Our address for clients; null: unknown. */
  publicUrl: string | null;
};

/** The answer to an unknown address. */
type Missing = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

type Send = ReturnType<typeof createSender>;

/**
 * GET /docs and everything below it. A page is made and compressed on its first use, and kept: later requests cost as
 * much as a file. There are as many as `referencePages` lists, whatever is requested.
 */
export function registerReference(
  server: FastifyInstance,
  { api, routes, publicUrl }: Reference,
  { outgoing, missing }: { outgoing: Outgoing; missing: Missing },
): void {
  const { base } = server;
  const senders = new Map<string, Send>();
  let made: { pages: ReferencePage[]; index: ReturnType<typeof indexOf> } | null = null;

  function all() {
    if (made === null) {
      const pages = referencePages(api, routes, publicUrl);
      made = { pages, index: indexOf(pages) };
    }
    return made;
  }

  /** Null for an unknown address. */
  function make(address: string): Send | null {
    const { pages, index } = all();
    if (address === "/llms.txt") return sender("text/plain", llmsText(api, pages, base));
    if (address === "/docs/search.json") return sender("application/json", typedIndex(index));
    const isMarkdown = address.endsWith(".md");
    const page = pages.find(({ path }) => path === (isMarkdown ? address.slice(0, -".md".length) : address));
    if (page === undefined) return null;
    const { path, title } = page;
    if (isMarkdown) return sender("text/markdown", markdownOf(title, page.blocks()));
    const main = htmlOf(page.blocks(), { base, groups: 0 });
    return sender("text/html", String(referenceFrame({ path, title, main, pages, base })));
  }

  function sender(contentType: string, content: string): Send {
    return createSender(`${contentType}; charset=utf-8`, Buffer.from(content), outgoing);
  }

  async function sendPage(address: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const send = senders.get(address) ?? make(address);
    if (send === null) return await missing(request, reply);
    senders.set(address, send);
    // Browsers ask again each time, and get a 304 without a body.
    return await send(request, reply.header("cache-control", "no-cache"));
  }

  for (const path of ["/docs", "/docs.md", "/llms.txt"]) {
    server.get(path, async (request, reply) => await sendPage(path, request, reply));
  }
  for (const path of ["/docs/:page", "/docs/:group/:page"]) {
    server.get(path, async (request, reply) => {
      const parts = Object.values(request.params as Record<string, string>);
      return await sendPage(["/docs", ...parts].join("/"), request, reply);
    });
  }
  server.get("/docs/search", async (request, reply) => {
    const query = parseQuery(request.url.split("?", 2)[1] ?? "").get("q") ?? "";
    const { pages, index } = all();
    const main = searchMain(query, search(index, query), base);
    const page = referenceFrame({ path: null, title: "Search", main, pages, base, query });
    // As a file: it is paid for by its length, as every answer that needs no key.
    const body = Buffer.from(String(page));
    return await outgoing(request, reply.header("content-type", "text/html; charset=utf-8")).send(body);
  });
}

/** /llms.txt: what this service is, and where each page is as Markdown (llmstxt.org). */
function llmsText(api: ApiInfo, pages: readonly ReferencePage[], base: string): string {
  const groups = Map.groupBy(pages, ({ group }) => TITLES[String(group)] ?? String(group));
  const sections = [...groups].map(([title, group]) => {
    const lines = group.map((page) => `- [${page.title}](${base}${page.path}.md)`);
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  const contract = `- [OpenAPI 3.1](${base}/api/v1/openapi.json): every route, field and answer\n`;
  return `# ${api.title}\n\n> ${api.summary}\n\n${api.description}\n\n## Machine-readable\n\n${contract}\n${sections.join("\n")}`;
}

const TITLES: Record<string, string> = { null: "Start", Error: "Each error", Chapter: "The contract's chapters" };

/** The results of a search. */
function searchMain(query: string, found: readonly FoundPlace[], base: string): Html {
  if (query.trim() === "") return html`<p>Search for a field, an error, an event or any word of the guides.</p>`;
  if (found.length === 0) return html`<p>Nothing has all of these words. Try fewer, or the name of a field.</p>`;
  const results = found.map(
    ({ title, page, path, text }) =>
      html`<li><a href="${base + path}">${title}</a>${title !== page && html` <i>${page}</i>`}<p>${text}</p></li>`,
  );
  return html`<ul class="found">${results}</ul>`;
}
