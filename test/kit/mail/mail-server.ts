import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { poll } from "../../program.ts";
import { afterFile } from "../../together.ts";

/** A message as its recipient reads it. Header names are in lower case. */
export type Received = {
  from: string;
  to: string[];
  isEncrypted: boolean;
  user: string | null;
  raw: string;
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
  files: { name: string; type: string; bytes: Uint8Array }[];
};

type Verdict = Error | "silent" | null;

export type MailServer = {
  port: number;
  url: string;
  received: Received[];
  /** What it answers to a recipient or to a whole message: an error with a response code, or nothing at all. */
  behaviour: {
    recipient?: (address: string) => Error | null;
    data?: (message: Received) => Verdict | Promise<Verdict>;
  };
  /** Resolves with the messages to an address once there are `count` of them. */
  until(address: string, count?: number): Promise<Received[]>;
  close(): Promise<void>;
};

const servers = new Set<MailServer>();

afterFile(async () => {
  for (const server of servers) await server.close();
});

/** A real mail server on loopback, as far as its options say. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: Received[] = [];
  const behaviour: MailServer["behaviour"] = {};
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    ...options,
    onRcptTo({ address }, _session, callback) {
      callback(behaviour.recipient?.(address) ?? null);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const message: Received = {
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
          user: typeof session.user === "string" ? session.user : null,
          ...parsed(Buffer.concat(chunks).toString()),
        };
        const answered = async () => {
          const verdict = (await behaviour.data?.(message)) ?? null;
          if (verdict === "silent" || verdict === null) received.push(message);
          if (verdict !== "silent") callback(verdict);
        };
        void answered();
      });
    },
  });
  // Clients that hang up are part of the tests.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const at = (server.server.address() as AddressInfo).port;
  const close = async () => {
    servers.delete(mailServer);
    for (const { _socket: socket } of server.connections as Set<{ _socket: { destroy(): void } }>) socket.destroy();
    await new Promise<void>((resolve) => server.close(resolve));
  };
  const mailServer: MailServer = {
    port: at,
    url: `smtp://127.0.0.1:${at}`,
    received,
    behaviour,
    async until(address, count = 1) {
      const to = () => received.filter((message) => message.to.includes(address));
      await poll(`${count} messages to ${address}`, async () => to().length >= count);
      return to();
    },
    close,
  };
  servers.add(mailServer);
  return mailServer;
}

/** An answer of a mail server: 4xx for now, 5xx for good. */
export function answer(code: number): Error {
  return Object.assign(new Error("no"), { responseCode: code });
}

/** The first address of our pages in a text. */
export function linkIn(text: string, path: string): string {
  const [link = ""] = new RegExp(`https?://\\S*?${path}\\S*`).exec(text) ?? [];
  return link;
}

function parsed(raw: string): Pick<Received, "raw" | "headers" | "subject" | "text" | "html" | "files"> {
  const { headers } = partOf(raw);
  const parts = partsOf(raw);
  const of = (type: string) => {
    const part = parts.find((each) => each.headers.get("content-type")?.startsWith(type));
    return part === undefined ? "" : decoded(part.body, part.headers.get("content-transfer-encoding") ?? "");
  };
  return {
    raw,
    headers,
    subject: words(headers.get("subject") ?? ""),
    text: of("text/plain"),
    html: of("text/html"),
    files: parts.flatMap(fileIn),
  };
}

type Part = ReturnType<typeof partOf>;

/** The parts of a message that have no parts themselves. */
function partsOf(raw: string): Part[] {
  const whole = partOf(raw);
  const [, boundary] = /boundary="?([^";]+)"?/.exec(whole.headers.get("content-type") ?? "") ?? [];
  if (boundary === undefined) return [whole];
  return whole.body.split(`--${boundary}`).flatMap((part) => partsOf(part.replace(/^\r\n/, "")));
}

function fileIn({ headers, body }: Part): Received["files"] {
  const [, name] = /^attachment; filename="?([^"]*)"?/.exec(headers.get("content-disposition") ?? "") ?? [];
  if (name === undefined) return [];
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return [{ name, type, bytes: new Uint8Array(Buffer.from(body, "base64")) }];
}

function partOf(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { headers, body: raw.slice(end + 4) };
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  return encoding === "quoted-printable" ? quoted(body.replaceAll(/=\r\n/g, "")).replaceAll("\r\n", "\n") : body;
}

function quoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return /=[0-9A-F]{2}/.test(text) ? Buffer.from(bytes, "latin1").toString() : text;
}

/** Words as RFC 2047 has them. */
function words(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === "B" ? Buffer.from(word, "base64").toString() : quoted(word.replaceAll("_", " ")),
    );
}
