import { Stackless } from "../stackless.ts";

/**
 * An error answer. It may be thrown anywhere below a route; answers.ts turns it into the response. Everything in it is
 * for the client: internal details go to the log.
 */
export class HttpError extends Stackless {
  readonly status: number;
  /** The body, as JSON. */
  readonly json: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The code for programs (`X-Error-Code`); null for an error that is in no table. */
  code: string | null = null;

  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(`HTTP ${status}`);
    this.name = "HttpError";
    this.status = status;
    this.json = JSON.stringify(body);
    this.headers = headers;
  }
}

/** The page about an error, which each error answer links to (`Link: ...; rel="help"`). */
export function errorPath(code: string): string {
  return `/docs/errors/${code}`;
}

type ErrorTable = Record<string, (...details: never[]) => HttpError>;

/** A table whose errors have the code of their row: `taxIdTaken` is `tax_id_taken`. */
export function errorTable<Table extends ErrorTable>(table: Table): Table {
  const rows = Object.entries(table).map(([name, make]) => {
    const code = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [name, (...details: never[]) => Object.assign(make(...details), { code })];
  });
  return Object.fromEntries(rows) as Table;
}

/** The errors of HTTP itself, which every service has. The product's are in src/kit/errors.ts. */
export const protocolErrors = errorTable({
  /** @param path as in the URL, without the leading slash */
  routeUnknown: (path: string) => new HttpError(404, { message: `The route ${path} could not be found.` }),
  methodNotAllowed: (allow: string) => new HttpError(405, { error: "Method not allowed." }, { allow }),
  bodyTooLarge: () => new HttpError(413, { error: "Payload too large." }),
  encodingUnsupported: () =>
    new HttpError(415, { error: "Unsupported Content-Encoding." }, { "accept-encoding": "gzip, identity" }),
  rateLimited: (headers: Record<string, string>) => new HttpError(429, { error: "Rate limit exceeded." }, headers),
  badRequest: () => new HttpError(400, { error: "Bad request." }),
  unexpected: () => new HttpError(500, { message: "Server Error" }),
  unavailable: () => new HttpError(503, { error: "Service unavailable." }, { "retry-after": "1" }),
});
