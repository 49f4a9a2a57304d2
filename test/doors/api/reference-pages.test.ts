import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { guides, guideSections } from "../../../src/doors/reference/documents.ts";
import { EXAMPLE_SECRET } from "../../../src/doors/reference/event-page.ts";
import { routes } from "../../../src/doors/routes.ts";
import { orderEvents } from "../../../src/exchange/webhooks/order-events.ts";
import { childEventMeanings, events } from "../../../src/kit/changes/change.ts";
import { errors } from "../../../src/kit/errors.ts";
import { request, startServer } from "../../harness.ts";
import { createMessageChecker, fetchDocument } from "./document.ts";

/** The reference at /docs: every page that a reader reaches from the first one. */

const server = await startServer();
const MOST_BYTES = 100_000;
const MOST_COMPRESSED = 15_000;
/** Of the index for typing, compressed. */
const MOST_INDEX = 10_000;

/** The pages, by their addresses. */
const pages = await crawl("/docs");

async function crawl(first: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const left = [first];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    const { status, text } = await request(server.url, "GET", path);
    assert.equal(status, 200, path);
    found.set(path, text);
    left.push(...linksIn(text).flatMap(([to]) => (isPage(to) ? [to] : [])));
  }
  return found;
}

/** The addresses of a page's links, and their anchors. */
function linksIn(page: string): [string, string?][] {
  const links = [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  return links.map((href) => href.split("#") as [string, string?]);
}

/** The own addresses in a page's Markdown, with their anchors. */
function linksInMarkdown(text: string): [string, string?][] {
  const words = text.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, "");
  return [...words.matchAll(/\]\(((?:\/|#)[^)]*)\)/g)].map(([, href = ""]) => href.split("#") as [string, string?]);
}

/** A request with any Host header, which fetch does not send. */
async function rawRequest(url: string, path: string, headers: Record<string, string>): Promise<{ text: string }> {
  const sent = http.request(`${url}${path}`, { headers }).end();
  const [answer] = (await once(sent, "response")) as [http.IncomingMessage];
  return { text: await text(answer) };
}

/** The address of a page as Markdown. */
function twinOf(path: string): string {
  return `${path}.md`;
}

function isPage(path: string): boolean {
  return path.startsWith("/docs");
}

function idsIn(page: string): Set<string> {
  return new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = ""]) => id));
}

test("no link of the reference is dead, and no page loads anything from elsewhere", async () => {
  assert.ok(pages.size > 60, `${pages.size} pages`);
  const others = new Set<string>();
  const complaints = [...pages].flatMap(([path, page]) => {
    assert.equal(new Set(idsIn(page)).size, page.match(/\sid="/g)?.length, `${path} has an id twice`);
    for (const [, address = ""] of page.matchAll(/<(?:link|script|use|form|img)[^>]*?(?:href|src|action)="([^"#]*)/g)) {
      others.add(address);
    }
    return linksIn(page).flatMap(([to, anchor]) => {
      if (to.startsWith("https:")) return [];
      if (!isPage(to) && to !== "") others.add(to);
      const target = to === "" ? page : pages.get(to);
      return anchor === undefined || target === undefined || idsIn(target).has(anchor)
        ? []
        : [`${path}: ${to}#${anchor}`];
    });
  });
  assert.deepEqual(complaints, []);
  for (const address of others) {
    assert.match(address, /^\/(?!\/)/);
    const { status } = await fetch(`${server.url}${address}`, { redirect: "manual" });
    assert.ok(status === 200 || status === 303, `${address}: ${status}`);
  }
});

test("each page is small, and its scripts and styles stand in files", () => {
  for (const [path, page] of pages) {
    const compressed = brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
    assert.ok(Buffer.byteLength(page) <= MOST_BYTES, `${path} has ${page.length} bytes`);
    assert.ok(compressed.length <= MOST_COMPRESSED, `${path} has ${compressed.length} bytes compressed`);
    assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/, path);
  }
});

test("every route has its place, with its fields and bounds", () => {
  for (const { path, method, capability, reference } of routes) {
    const { tag, operationId, query = [], resource } = reference;
    const page = pages.get(`/docs/api/${tag.name.toLowerCase().replaceAll(" ", "-")}`) ?? "";
    if (method !== "PATCH") assert.ok(idsIn(page).has(operationId), operationId);
    const needed = capability === null ? "any valid key" : `needs <code>${capability}</code>`;
    assert.ok(page.includes(`<code>${path}</code> <span>${needed}`), `${method} ${path}`);
    const shown = operationId.replace(/^patch/, "update");
    for (const { name } of query) assert.ok(idsIn(page).has(`${shown}-${String(name)}`), String(name));
    const added = [
      ...(resource?.hasExternal ? ["external"] : []),
      ...(resource?.embedded ?? []).map(({ word }) => word),
    ];
    for (const name of added) assert.ok(idsIn(page).has(`field-${name}`), `${operationId}: ${name}`);
    for (const { name: own, within, max, required, encrypted, default: preset, values = [] } of resource?.fields ??
      []) {
      const name = within === undefined ? own : `${within}.${own}`;
      const [row = ""] = new RegExp(`<div id="field-${name}">[^]*?</div>`).exec(page) ?? [];
      assert.ok(row.includes(`<code>${name}</code>`), `${operationId}: ${name}`);
      if (max !== undefined) assert.ok(row.includes(max.toLocaleString("en")), `${name}: ${max}`);
      if (required) assert.ok(row.includes("required"), name);
      if (encrypted) assert.ok(row.includes("encrypted"), name);
      if (preset !== undefined) assert.ok(row.includes("Default:"), `${name}: its default`);
      for (const value of values) assert.ok(row.includes(value), `${name}: ${value}`);
    }
  }
});

test("a member of an answer is never called required, and may be null where it can be", () => {
  const row = (page: string, id: string) =>
    new RegExp(`<div id="${id.replaceAll(/[[\].]/g, String.raw`\$&`)}">[^]*?</div>`).exec(pages.get(page) ?? "")?.[0] ??
    "";
  for (const [page, id] of [
    ["/docs/api/companies", "field-assigned_user.id"],
    ["/docs/api/companies", "listCompanyHistory-answer-data[].by.id"],
    ["/docs/api/invoices", "field-wms.instance"],
  ] as const) {
    assert.match(row(page, id), /<code>/, id);
    assert.doesNotMatch(row(page, id), /required/, id);
  }
  assert.match(row("/docs/api/invoices", "field-wms.instance"), /<i>may be null<\/i>/);
  assert.match(row("/docs/api/companies", "listCompanyHistory-answer-data[].by.via"), /<i>optional<\/i>/);
  assert.match(row("/docs/api/companies", "batchCompanies-body-items"), /<b>required<\/b>/);
});

test("every error has a page with its cause, and whether to retry", () => {
  for (const name of Object.keys(errors)) {
    const code = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const page = pages.get(`/docs/errors/${code}`) ?? "";
    assert.match(page, /<p>\S[^]*<p><strong>Retry:<\/strong> (?:yes|no)[,.]/, code);
    assert.ok(page.includes(`X-Error-Code: ${code}`), code);
  }
});

test("each kind of error answer links to its page, with and without a body", async () => {
  const tenant = await server.createTenant();
  const { token: narrow } = await tenant.createKey({ capabilities: ["companies:read"] });
  const { token: once } = await tenant.createKey({ rate: 1 });
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  await tenant.get("/api/v1/companies", { token: once });
  const own = `/api/v1/companies/${id}`;
  const sent: [number, string, string, RequestInit?, string?][] = [
    [400, "POST", "/api/v1/companies", { headers: { "content-encoding": "gzip" }, body: "{}" }],
    [401, "GET", "/api/v1/companies", {}, "demo.unknown"],
    [403, "POST", "/api/v1/companies", { body: "{}" }, narrow],
    [404, "GET", "/api/v1/nothing"],
    [404, "HEAD", "/api/v1/companies/999999"],
    [404, "GET", "/docs/errors/nothing"],
    [405, "DELETE", "/api/v1/companies"],
    [405, "POST", "/docs"],
    [405, "GET", "/mcp"],
    [409, "POST", "/api/v1/companies", { body: '{"name":"B","tax_id":"ro1"}' }],
    [412, "PATCH", own, { body: '{"city":"Dej"}', headers: { "if-match": '"1"' } }],
    [413, "POST", "/api/v1/companies", { body: " ".repeat(1_100_000) }],
    [415, "POST", "/api/v1/companies", { body: "{}", headers: { "content-encoding": "zstd" } }],
    [422, "POST", "/api/v1/companies", { body: "{}" }],
    [422, "GET", "/api/v1/changes?after=nothing"],
    [429, "GET", "/api/v1/companies", {}, once],
    [401, "POST", "/mcp", { body: "{}" }, "demo.unknown"],
    [415, "POST", "/mcp", { body: "{}", headers: { "content-encoding": "zstd" } }],
  ];
  for (const [status, method, path, init = {}, token = tenant.token] of sent) {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) };
    const answer = await fetch(`${server.url}${path}`, { method, ...init, headers });
    assert.equal(answer.status, status, `${method} ${path}`);
    const [, page = ""] = /^<(\/docs\/errors\/\w+)>; rel="help"$/.exec(answer.headers.get("link") ?? "") ?? [];
    assert.ok(pages.has(page), `${status} of ${method} ${path} links ${answer.headers.get("link")}`);
    assert.equal(page, `/docs/errors/${answer.headers.get("x-error-code")}`);
    await answer.body?.cancel();
  }
});

test("every event has its message: as the document describes it, with a genuine signature", async () => {
  const document = await fetchDocument(server.url);
  const check = createMessageChecker(document);
  const { text } = await request(server.url, "GET", twinOf("/docs/events"));
  const names = Object.entries(events).flatMap(([type, actions]) => actions.map((action) => `${type}.${action}`));
  const messages = [...text.matchAll(/^## `(.+)`\n[^]*?```http\n([^`]*)\n```\n\n```json\n([^`]*)\n```/gm)];
  assert.deepEqual(
    messages.map(([, name]) => name),
    [...names, ...Object.keys(childEventMeanings), ...orderEvents, "webhook.test"],
  );
  assert.deepEqual(
    Object.keys(document.webhooks),
    messages.map(([, name]) => name),
  );
  for (const [, name = "", head = "", json = ""] of messages) {
    const headers = Object.fromEntries(head.split("\n").map((line) => line.split(": ") as [string, string]));
    const body = JSON.parse(json);
    assert.equal(body.type, name);
    const verifier = new Webhook(EXAMPLE_SECRET);
    // The library refuses what is older than five minutes; the signature is what counts here.
    const signed = verifier.sign(
      headers["webhook-id"] ?? "",
      new Date(Number(headers["webhook-timestamp"]) * 1_000),
      JSON.stringify(body),
    );
    assert.equal(headers["webhook-signature"], signed);
    check(name, body);
  }
});

test("each section of docs/api.md is part of one guide, and each guide has a table of contents or one section", () => {
  const sections = guides.flatMap(({ sections }) => sections);
  assert.deepEqual(
    sections.toSorted(),
    guideSections()
      .map(({ title }) => title)
      .toSorted(),
  );
});

test("every page is Markdown too, and llms.txt lists them all", async () => {
  const { text, headers } = await request(server.url, "GET", "/llms.txt");
  assert.match(headers.get("content-type") ?? "", /^text\/plain/);
  const listed = [...text.matchAll(/\]\((\/docs[^)]*\.md)\)/g)].map(([, path = ""]) => path);
  assert.deepEqual(listed.toSorted(), [...pages.keys()].map(twinOf).toSorted());
  for (const path of listed) {
    const twin = await request(server.url, "GET", path);
    assert.equal(twin.status, 200, path);
    assert.match(twin.headers.get("content-type") ?? "", /^text\/markdown/);
    assert.match(twin.text, /^# \S/);
    for (const [to, anchor] of linksInMarkdown(twin.text)) {
      const target = pages.get(to);
      assert.ok(target !== undefined || !isPage(to), `${path} links ${to}`);
      assert.ok(
        to !== "" && (anchor === undefined || idsIn(target ?? "").has(anchor)),
        `${path} links ${to}#${anchor}`,
      );
    }
    assert.doesNotMatch(twin.text, /\[object/, path);
  }
});

test("the search finds fields, errors, events and guides, and shows what was typed as a text", async () => {
  for (const [query, path] of [
    ["tax_id", "/docs/api/companies#field-tax_id"],
    ["tax id taken", "/docs/errors/tax_id_taken"],
    ["WEBHOOK-ID", "/docs/contract/19#195-what-is-sent"],
    ["company.restored", "/docs/events#company.restored"],
    ["feed poll", "/docs/guides/following#feed-webhook-or-poll"],
  ] as const) {
    const { status, text } = await request(server.url, "GET", `/docs/search?q=${encodeURIComponent(query)}`);
    assert.equal(status, 200);
    assert.ok(text.includes(`<a href="${path}">`), query);
  }
  const { text } = await request(server.url, "GET", `/docs/search?q=${encodeURIComponent('"><script>')}`);
  assert.ok(text.includes("&quot;&gt;&lt;script&gt;") && !text.includes("<script>"));
  const { text: results } = await request(server.url, "GET", "/docs/search?q=external");
  assert.match(results, /<p>The first 30 of \d+ places with <b>external<\/b><\/p>/);
  const places = [...results.matchAll(/<li><a href="(\/docs\/[^"]*)"><mark>external<\/mark><\/a> <i>(.*?)<\/i>/g)];
  assert.deepEqual(places[0]?.slice(1), ["/docs/api/companies#field-external", "Companies"]);
  assert.equal(new Set(places.map(([, , within]) => within)).size, places.length);
  assert.match(results, /companies#field-external"><mark>external<\/mark><\/a> <i>Companies<\/i><p>The ids that other/);
  const { text: parameter } = await request(server.url, "GET", "/docs/search?q=updated_since");
  assert.match(parameter, /<mark>updated_since<\/mark><\/a> <i>Companies, List the companies<\/i>/);
  const { text: none } = await request(server.url, "GET", "/docs/search?q=zzzz");
  assert.match(none, /Nothing has all of these words: <b>zzzz<\/b>/);
  const { text: long } = await request(server.url, "GET", `/docs/search?q=${"a".repeat(5_000)}`);
  assert.doesNotMatch(long, /a{101}/);
  for (const nothing of ["", "q=", `q=${"a".repeat(5_000)}`, "q=%ff", "q=a&q=b"]) {
    const { status } = await request(server.url, "GET", `/docs/search?${nothing}`);
    assert.equal(status, 200, nothing);
  }
});

test("the index for typing has at most 10 kB, and every page, operation and field", async () => {
  const answer = await fetch(`${server.url}/docs/search.json`);
  const index = (await answer.json()) as string[][];
  assert.deepEqual(new Set(index.map(([, path]) => path)), new Set(pages.keys()));
  const companies = index.find(([, path]) => path === "/docs/api/companies") ?? [];
  for (const [title, anchor] of [
    ["Create a company", "createCompany"],
    ["tax_id", "field-tax_id"],
    ["updated_since", "listCompanies-updated_since"],
  ]) {
    assert.equal(companies[companies.indexOf(title ?? "") + 1], anchor);
  }
  const compressed = brotliCompressSync(JSON.stringify(index), { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  assert.ok(compressed.length <= MOST_INDEX, `${compressed.length} bytes`);
});

test("every part of the changelog has its place, those for integrators in the first page", () => {
  const source = fs.readFileSync(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");
  const titles = [...source.matchAll(/^### (.+)$/gm)].map(([, title = ""]) => title);
  const page = pages.get("/docs/changelog") ?? "";
  assert.ok(titles.length > 4);
  for (const title of titles) assert.ok(page.includes(`">${title}</a>`), title);
  assert.ok(page.includes('<h3 id="010-the-api">'));
  assert.match(pages.get("/docs/changelog/010-safety") ?? "", /<h1>0\.1\.0: Safety<\/h1>\s*<ul>\s*<li>/);
});

test("a guide does not repeat its title, shows emphasis, breaks long paths, and has its programs as tabs", () => {
  for (const { slug } of guides) {
    const page = pages.get(`/docs/guides/${slug}`) ?? "";
    const [, title] = /<h1>(.*)<\/h1>/.exec(page) ?? [];
    const headings = [...page.matchAll(/<h2 id="[^"]*"><a href="[^"]*">(.*?)<\/a>/g)].map(([, text]) => text);
    assert.notDeepEqual(headings, [title], slug);
    assert.ok(headings.length !== 1, `${slug} has one section, ${headings[0]}, which needs no heading`);
  }
  assert.match(
    pages.get("/docs/guides/recipes") ?? "",
    /<code>POST \/api\/<wbr>v1\/<wbr>companies\/<wbr>batch<\/code>/,
  );
  assert.ok(pages.get("/docs/guides/agents")?.includes("<strong>Key for an assistant</strong>"));
  const tabs = [...(pages.get("/docs/guides/webhooks") ?? "").matchAll(/value="(\w+)" data-tabs="Language"/g)];
  assert.deepEqual(
    tabs.map(([, language]) => language),
    ["TypeScript", "Python", "PHP"],
  );
});

test("a page that did not change is sent once, and costs no body afterwards", async () => {
  const first = await fetch(`${server.url}/docs/api/companies`);
  const etag = first.headers.get("etag") ?? "";
  assert.equal(first.headers.get("cache-control"), "no-cache");
  const again = await fetch(`${server.url}/docs/api/companies`, { headers: { "if-none-match": etag } });
  assert.equal(again.status, 304);
});

test("an unknown page is missing for a program and for a person", async () => {
  for (const path of ["/docs/nothing", "/docs/errors/nothing", "/docs/api/companies.txt", "/docs/__proto__"]) {
    const program = await request(server.url, "GET", path);
    assert.deepEqual([program.status, program.headers.get("x-error-code")], [404, "route_unknown"], path);
    const person = await fetch(`${server.url}${path}`, { headers: { accept: "text/html" } });
    assert.equal(person.status, 404, path);
    // The contents and the search lead on.
    assert.match(
      await person.text(),
      /^<!doctype html>[^]*<form role="search"[^]*<nav id="pages"[^]*<h1>Not found<\/h1>/,
    );
  }
});

test("a copied command names the address that the request came by, in every page and its Markdown", async () => {
  const guide = async (path: string, headers: Record<string, string>, own = server) =>
    (await rawRequest(own.url, path, headers)).text;
  for (const host of ["crm.example.org", "127.0.0.1:3999"]) {
    for (const path of ["/docs", "/docs/guides/authentication"].flatMap((each) => [each, twinOf(each)])) {
      const text = await guide(path, { host });
      assert.ok(text.includes(`export LIAISON=http://${host}\n`), `${path} of ${host}`);
    }
    assert.ok(
      (await guide(twinOf("/docs/guides/agents"), { host })).includes(`--scope user liaison http://${host}/mcp`),
    );
    for (const { slug } of guides)
      assert.doesNotMatch(await guide(`/docs/guides/${slug}`, { host }), /127\.0\.0\.1:3000\b|crm\.example\.com/, slug);
  }
  const hostile = await guide("/docs", { host: 'a.example"><script>x</script>' });
  assert.match(hostile, /export LIAISON=http:\/\/127\.0\.0\.1:\d+\n/);
  const forwarded = { host: "crm.example.org", "x-forwarded-proto": "https" };
  assert.match(await guide("/docs", forwarded), /LIAISON=http:\/\/crm\.example\.org\n/);
  const proxied = await startServer({ LIAISON_TRUSTED_PROXIES: "127.0.0.0/8" });
  assert.match(await guide("/docs", forwarded, proxied), /LIAISON=https:\/\/crm\.example\.org\n/);
});

test("behind a proxy, every own address of a page and of an error begins with the proxy's path", async () => {
  const proxied = await startServer({ LIAISON_PUBLIC_URL: "https://crm.example.com/liaison/" });
  const paths = ["/docs", "/docs/api/companies", "/docs/guides/following", "/docs/nothing"];
  for (const path of [...paths, ...paths.slice(0, 3).map(twinOf), "/llms.txt"]) {
    const answer = await fetch(`${proxied.url}${path}`, { headers: { accept: "text/html" } });
    const text = await answer.text();
    const addresses = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"|\]\((\/[^)]*)\)/g)].map(
      ([, one, other]) => one ?? other ?? "",
    );
    assert.ok(addresses.length > (path.endsWith(".md") ? 3 : 20), path);
    assert.deepEqual(
      addresses.filter((address) => !address.startsWith("/liaison/")),
      [],
    );
  }
  const { headers } = await request(proxied.url, "GET", "/api/v1/companies");
  assert.equal(headers.get("link"), '</liaison/docs/errors/key_missing>; rel="help"');
});

test("the source of the guides is docs/api.md itself", () => {
  const source = fs.readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8");
  const [, sentence = ""] = /^(There are three ways to learn of changes\.)/m.exec(source) ?? [];
  assert.ok(sentence !== "" && pages.get("/docs/guides/following")?.includes(sentence));
});
