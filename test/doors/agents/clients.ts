import { after } from "node:test";
import { Client, StreamableHTTPClientTransport, type ClientOptions } from "@modelcontextprotocol/client";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as EarlierTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The result of a tool, as tests look at it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what the data turns out to be
export type Told = { isError: boolean; data: any; text: string; bytes: number };

/** An assistant's client: what tests need of the official ones. */
export type Assistant = {
  /** The names of the tools that the key sees. */
  tools(): Promise<string[]>;
  /** Calls a tool. */
  call(name: string, given?: Record<string, unknown>): Promise<Told>;
  client: Client | EarlierClient;
};

/** An assistant with the official client of the current revision. */
export async function connect(url: string, token: string, options: ClientOptions = {}): Promise<Assistant> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" }, ...options });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: bearing(token) }));
  return assistant(client);
}

/** An assistant whose person answers each question. */
export async function connectAsking(
  url: string,
  token: string,
  answer: (question: string) => boolean,
): Promise<Assistant> {
  const asking = await connect(url, token, { capabilities: { elicitation: { form: {} } } });
  (asking.client as Client).setRequestHandler("elicitation/create", async ({ params }) => {
    return answer(params.message) ? { action: "accept", content: { confirm: true } } : { action: "decline" };
  });
  return asking;
}

/** An assistant with the official client of the revisions of 2025. */
export async function connectEarlier(url: string, token: string): Promise<Assistant> {
  const client = new EarlierClient({ name: "test", version: "1" });
  await client.connect(new EarlierTransport(new URL("/mcp", url), { requestInit: bearing(token) }));
  return assistant(client);
}

function bearing(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

function assistant(client: Client | EarlierClient): Assistant {
  after(async () => await client.close());
  return {
    client,
    async tools() {
      const { tools } = await client.listTools();
      return tools.map(({ name }) => name);
    },
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      const [first] = result.content as { text?: string }[];
      return {
        isError: result.isError === true,
        data: result.structuredContent,
        text: first?.text ?? "",
        bytes: Buffer.byteLength(JSON.stringify(result)),
      };
    },
  };
}

/** The headers and the body of a call by the current revision, for requests that no client would send. */
export function rawCall(method: string, params: Record<string, unknown> = {}) {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const { name } = params as { name?: unknown };
  return {
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": encodeURIComponent(name.toWellFormed()) }),
    },
    message: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } },
  };
}
