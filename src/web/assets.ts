import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import negotiate from "@fastify/accept-negotiator";
import type { FastifyInstance } from "fastify";

const FOLDER = path.join(import.meta.dirname, "assets");
const PACKAGE = path.dirname(fileURLToPath(import.meta.resolve("lucide-static/package.json")));

/** The stylesheets in the order of their layers; they are sent as one. */
const STYLESHEETS = [
  "tokens.css",
  "base.css",
  "controls.css",
  "layout.css",
  "tables.css",
  "record.css",
  "dialogs.css",
  "print.css",
];

/** The icons in use, by our name: the file of the lucide-static package that each is. */
export const icons = {
  companies: "building-2",
  warehouse: "warehouse",
  imports: "upload",
  history: "history",
  keys: "key-round",
  users: "users",
  workspace: "settings",
  person: "circle-user-round",
  search: "search",
  add: "plus",
  more: "ellipsis",
  back: "chevron-left",
  phone: "phone",
  email: "mail",
  external: "external-link",
  keyboard: "keyboard",
  edit: "pencil",
  leave: "log-out",
} as const;

type Asset = { contentType: string; body: string };

const assets = readAssets();
const version = createHash("sha256")
  .update(JSON.stringify([...assets]))
  .digest("base64url")
  .slice(0, 12);

/** Where a file of the pages is. The version is part of it, so that browsers keep it for good. */
export function assetPath(name: string): string {
  return `/assets/${version}/${name}`;
}

type Encoding = "br" | "gzip";
/** The quality that is the default takes twenty times as long, in which nobody is answered, for a tenth fewer bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const ENCODERS = { br: (body: string) => brotliCompressSync(body, BROTLI), gzip: (body: string) => gzipSync(body) };
const ENCODINGS: Encoding[] = ["br", "gzip"];

/** GET /assets/{version}/{name}; needs no session, so each file is compressed once and not for each request. */
export function registerAssets(server: FastifyInstance): void {
  for (const [name, { contentType, body }] of assets) {
    const encoded: { [encoding in Encoding]?: Buffer } = {};
    server.get(`/assets/:version/${name}`, async (request, reply) => {
      const isThisVersion = (request.params as { version: string }).version === version;
      // During an update a page of the other version may ask here: it gets what there is, and must not keep it.
      reply.header("cache-control", isThisVersion ? "public, max-age=31536000, immutable" : "no-store");
      reply.header("content-type", contentType);
      const encoding = negotiate(request.headers["accept-encoding"] ?? "", ENCODINGS);
      if (encoding === null) return reply.send(body);
      reply.header("content-encoding", encoding).header("vary", "accept-encoding");
      return reply.send((encoded[encoding] ??= ENCODERS[encoding](body)));
    });
  }
}

function readAssets(): ReadonlyMap<string, Asset> {
  const stylesheet = STYLESHEETS.map((name) => fs.readFileSync(path.join(FOLDER, name), "utf8")).join("\n");
  const scripts = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".js"));
  return new Map<string, Asset>([
    ["style.css", { contentType: "text/css; charset=utf-8", body: stylesheet }],
    ["icons.svg", { contentType: "image/svg+xml", body: sprite() }],
    ["favicon.svg", { contentType: "image/svg+xml", body: fs.readFileSync(path.join(FOLDER, "favicon.svg"), "utf8") }],
    ...scripts.map((name): [string, Asset] => [
      name,
      { contentType: "text/javascript; charset=utf-8", body: fs.readFileSync(path.join(FOLDER, name), "utf8") },
    ]),
  ]);
}

/** The icons in use, as symbols of one file. */
function sprite(): string {
  const symbols = Object.entries(icons).map(([name, file]) => {
    const icon = fs.readFileSync(path.join(PACKAGE, "icons", `${file}.svg`), "utf8");
    const shapes = icon.slice(icon.indexOf(">", icon.indexOf("<svg")) + 1, icon.lastIndexOf("</svg>"));
    return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.replaceAll(/\s*\n\s*/g, "")}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}</svg>`;
}
