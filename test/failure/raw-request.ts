import http from "node:http";

/**
 * Sends a request as it is, whatever characters are in it, and reads the answer to its end. Null: the connection was
 * closed without one.
 */
export async function sendRaw(
  url: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<{ status: number; bytes: number } | null> {
  return await new Promise((resolve) => {
    const request = http.request(`${url}/`, { agent, method, path, headers: headersOf(headers, body) });
    request.on("response", (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("error", () => resolve(null));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, bytes }));
    });
    request.on("error", () => resolve(null));
    request.end(body);
  });
}

export type RawRequest = { method: string; path: string; headers?: Record<string, string>; body?: Buffer };

const agent = new http.Agent({ keepAlive: true });

function headersOf(headers: Record<string, string>, body: Buffer | undefined): Record<string, string | number> {
  return body === undefined ? headers : { ...headers, "content-length": body.length };
}

/** A text as a header may have it: its bytes, without those that end one. */
export function headerText(text: string): string {
  // eslint-disable-next-line no-control-regex -- these are what it may not have
  return Buffer.from(text)
    .toString("latin1")
    .replaceAll(/[\0-\x08\x0a-\x1f\x7f]/g, " ");
}
