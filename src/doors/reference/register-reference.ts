import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiInfo, DescribedRoute } from "../../kit/openapi/reference.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { createSender } from "../../platform/http/assets.ts";
import { parseQuery } from "../../platform/http/lists/pagination.ts";
import type { Outgoing } from "../../platform/http/outgoing.ts";
import { shortened } from "../../platform/text.ts";
import { htmlOf } from "./html-blocks.ts";
import { markdownOf } from "./markdown-blocks.ts";
import { namesAddress, withAddress } from "./named-address.ts";
import { referenceFrame } from "./reference-frame.ts";
import { referencePages, type ReferencePage } from "./reference-pages.ts";
import { indexOf, MOST_PLACES, MOST_QUERY, search, typedIndex, queryWords } from "./search.ts";

type Reference = {
  api: ApiInfo;
  routes: readonly DescribedRoute[];
  /** The address by which a reader reached this server. */
  addressOf: (request: FastifyRequest) => string;
};

type Answering = {
  outgoing: Outgoing;
  missing: Missing;
  /** Waits for the time in which a page of this length is compressed. */
  charge: (request: FastifyRequest, length: number) => Promise<void>;
};

/** The answer to a program that requests an unknown address. */
type Missing = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

type Send = ReturnType<typeof createSender>;
/** A page that names the server, with an example in place of its address. */
type Addressed = { text: string; isMarkdown: boolean };

/** The pages with readers' addresses that are kept, compressed too: some megabytes at most. */
const MOST_ADDRESSED = 64;

/**
 * GET /docs and everything below it. A page is made and compressed on its first use, and kept: later requests cost as
 * much as a file. There are as many as `referencePages` lists, whatever is requested. A page that names the server has
 * the reader's address. Callers choose that address: MOST_ADDRESSED of these copies are kept, and a new one is charged.
 */
export function registerReference(server: FastifyInstance, reference: Reference, answering: Answering): void {
  const { base } = server;
  const { outgoing, missing } = answering;
  const made = createPages(reference, answering, base);

  async function sendPage(address: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const send = await made.senderOf(address, request);
    if (send === null) return await sendMissing(request, reply);
    // Browsers ask again each time, and get a 304 without a body.
    return await send(request, reply.header("cache-control", "no-cache"));
  }

  /** A person gets the contents and the search. */
  async function sendMissing(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (request.headers.accept?.includes("text/html") !== true) return await missing(request, reply);
    const { pages } = made.contents();
    const page = referenceFrame({ path: null, title: "Not found", main: MISSING, pages, base });
    return await sendText(page, request, reply.code(404));
  }

  /** As a file: it is paid for by its length, as every answer that needs no key. */
  async function sendText(page: Html, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const body = Buffer.from(String(page));
    return await outgoing(request, reply.header("content-type", "text/html; charset=utf-8")).send(body);
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
    const asked = parseQuery(request.url.split("?", 2)[1] ?? "").get("q") ?? "";
    const query = shortened(asked, MOST_QUERY);
    const { pages, index } = made.contents();
    const main = searchMain(query, index, base);
    return await sendText(referenceFrame({ path: null, title: "Search", main, pages, base, query }), request, reply);
  });
}

/** Makes each page on its first use, and keeps it. */
function createPages(
  { api, routes, addressOf }: Reference,
  { outgoing, charge }: Pick<Answering, "outgoing" | "charge">,
  base: string,
) {
  const senders = new Map<string, Send | Addressed>();
  const addressed = new BoundedMap<Send>(MOST_ADDRESSED);
  let made: { pages: ReferencePage[]; index: ReturnType<typeof indexOf> } | null = null;

  function contents() {
    if (made === null) {
      const pages = referencePages(api, routes);
      made = { pages, index: indexOf(pages) };
    }
    return made;
  }

  /** Null for an unknown address. */
  function make(address: string): Send | Addressed | null {
    const { pages, index } = contents();
    if (address === "/llms.txt") return sender("text/plain", llmsText(api, pages, base));
    if (address === "/docs/search.json") return sender("application/json", typedIndex(index));
    const isMarkdown = address.endsWith(".md");
    const page = pages.find(({ path }) => path === (isMarkdown ? address.slice(0, -".md".length) : address));
    if (page === undefined) return null;
    const { path, title } = page;
    const main = () => htmlOf(page.blocks(), { base, groups: 0 });
    const text = isMarkdown
      ? markdownOf(page, page.blocks(), base)
      : String(referenceFrame({ path, title, main: main(), pages, base }));
    return namesAddress(path, text) ? { text, isMarkdown } : sender(isMarkdown ? "text/markdown" : "text/html", text);
  }

  /** The page with the reader's address. */
  async function senderFor(request: FastifyRequest, path: string, { text, isMarkdown }: Addressed): Promise<Send> {
    const address = addressOf(request);
    const name = `${address} ${path}`;
    const kept = addressed.get(name);
    if (kept !== undefined) return kept;
    await charge(request, text.length);
    const named = withAddress(text, isMarkdown ? address : String(html`${address}`));
    return addressed.getOrInsertComputed(name, () => sender(isMarkdown ? "text/markdown" : "text/html", named));
  }

  function sender(contentType: string, content: string): Send {
    return createSender(`${contentType}; charset=utf-8`, Buffer.from(content), outgoing);
  }

  return {
    contents,
    /** Null for an unknown address. */
    async senderOf(address: string, request: FastifyRequest): Promise<Send | null> {
      const made = senders.get(address) ?? make(address);
      if (made === null) return null;
      senders.set(address, made);
      return typeof made === "function" ? made : await senderFor(request, address, made);
    },
  };
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

const TITLES: Record<string, string> = {
  null: "Start",
  Error: "Each error",
  Chapter: "The contract's chapters",
  Changes: "Other parts of the changelog",
};

const MISSING = html`<p>The reference has no page at this address. Search for it above, or choose a page from the contents.</p>`;

/** The results of a search. */
function searchMain(query: string, index: ReturnType<typeof indexOf>, base: string): Html {
  if (query.trim() === "") return html`<p>Search for a field, an error, an event or any word of the guides.</p>`;
  const words = queryWords(query);
  const { found, total } = search(index, words);
  if (total === 0)
    return html`<p>Nothing has all of these words: <b>${query}</b>. Try fewer, or the name of a field.</p>`;
  const shown =
    total > MOST_PLACES ? `The first ${MOST_PLACES} of ${total} places` : total === 1 ? "1 place" : `${total} places`;
  const results = found.map(
    ({ title, within, path, text }) =>
      html`<li><a href="${base + path}">${marked(title, words)}</a>${title !== within && html` <i>${within}</i>`}<p>${marked(text, words)}</p></li>`,
  );
  return html`<p>${shown} with <b>${query}</b></p><ul class="found">${results}</ul>`;
}

/** A text whose searched words stand out. */
function marked(text: string, words: readonly string[]): Content {
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join("|")})`, "giu");
  return text.split(pattern).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part));
}
