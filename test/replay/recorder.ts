import http from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { KeyName, Stage } from "./stage.ts";

/** An answer, without what differs between two runs of one program. */
export type Recorded = { request: string; status: number; headers: Record<string, string>; body: string };

export type Sent = {
  /** As JSON; a string or a buffer is sent as it is. */
  body?: unknown;
  /** The name of a key, or a token; null: no Authorization. */
  token?: string | null;
  headers?: Record<string, string>;
};

/** The body of an answer as JSON, and its headers as they came. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the requests read of answers what they know
export type Heard = { status: number; body: any; headers: http.IncomingHttpHeaders };

export type Send = (method: string, path: string, sent?: Sent) => Promise<Heard>;

const VOLATILE = new Set([
  "date",
  "x-request-id",
  "server-timing",
  "x-ratelimit-remaining",
  "ratelimit",
  "x-ratelimit-reset",
  "traceparent",
  "keep-alive",
  "connection",
]);
const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
/** Characters of a body that a record's name shows. */
const SHOWN = 200;

/** Sends requests one after the other on one connection, and records the answers. */
export function recorderOf({ url, tokens }: Pick<Stage, "url" | "tokens">): { send: Send; records: Recorded[] } {
  const records: Recorded[] = [];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send: Send = async (method, path, { body, token = "all", headers = {} } = {}) => {
    const bytes = bytesOf(body);
    const authorization = token === null ? {} : { authorization: `Bearer ${tokens[token as KeyName] ?? token}` };
    const type = bytes === null ? {} : { "content-type": "application/json", "content-length": String(bytes.length) };
    const answer = await exchange(url + path, {
      method,
      agent,
      headers: { host: "crm.local", ...authorization, ...type, ...headers },
      bytes,
    });
    const shown = bytes === null ? "" : ` ${bytes.subarray(0, SHOWN).toString("utf8")}`;
    const request = steadyText(`${method} ${path} by ${token ?? "nobody"} ${JSON.stringify(headers)}${shown}`);
    records.push({ request, ...answer.recorded });
    return answer.heard;
  };
  return { send, records };
}

function bytesOf(body: unknown): Buffer | null {
  if (body === undefined) return null;
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

type Options = { method: string; agent: http.Agent; headers: Record<string, string>; bytes: Buffer | null };

async function exchange(
  url: string,
  { bytes, ...options }: Options,
): Promise<{ recorded: Omit<Recorded, "request">; heard: Heard }> {
  return await new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { headers, statusCode: status = 0 } = response;
        const sent = Buffer.concat(chunks);
        const text = (decoders[headers["content-encoding"] ?? ""]?.(sent) ?? sent).toString("utf8");
        const isWhole = Number(headers["content-length"] ?? sent.length) === sent.length;
        const hasNone = options.method === "HEAD" || status === 204 || status === 304;
        const length = isWhole || hasNone ? "right" : `${headers["content-length"]} of ${sent.length}`;
        const shown = Object.entries(headers)
          .filter(([name]) => name !== "content-length")
          .map(([name, value]) => [name, VOLATILE.has(name) ? "…" : steadyText(String(value))]);
        const recorded = {
          status,
          headers: Object.fromEntries([...shown, ["length", length]]),
          body: steadyText(text),
        };
        resolve({ recorded, heard: { status, headers, body: parsed(text) } });
      });
    });
    request.on("error", reject);
    request.end(bytes);
  });
}

/** A text without the moments, cursors, tags and secrets that each run has of its own. */
function steadyText(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/g, "<time>")
    .replaceAll(/k1\.[\w-]{10,}(?:\.[\w-]+)?/g, "<cursor>")
    .replaceAll(/\b\d+-[\w-]{20,}/g, "<tag>")
    .replaceAll(/whsec_[\w+/=]+/g, "<secret>")
    .replaceAll(/test_[\w-]{8,}/g, "<test>");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
