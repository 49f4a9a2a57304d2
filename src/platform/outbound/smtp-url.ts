/** A mail server as an operator names it. */
export type SmtpServer = {
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  /** Whether TLS comes first (`smtps://`). */
  isSecure: boolean;
  /** Whether a connection without STARTTLS is given up. Only a server on loopback may do without. */
  requiresTls: boolean;
  auth: { user: string; pass: string } | null;
};

const PORTS = { "smtp:": 587, "smtps:": 465 };
const EXAMPLE = "must be a URL like smtp://user:password@mail.example.com:587, or smtps://";

/** The server of a URL. Throws an error whose message never has a part of it: it may have a password. */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url === null || (url.protocol !== "smtp:" && url.protocol !== "smtps:") || url.hostname === "") {
    throw new Error(EXAMPLE);
  }
  if (!/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "" || url.port === "0") throw new Error(EXAMPLE);
  const [user, pass] = [decoded(url.username), decoded(url.password)];
  if ((user === "") !== (pass === "")) throw new Error("must have both a user and a password, or neither");
  const host = url.hostname.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const isSecure = url.protocol === "smtps:";
  return {
    host,
    port: Number(url.port) || PORTS[url.protocol],
    isSecure,
    requiresTls: !isSecure && !isLoopback(host),
    auth: user === "" ? null : { user, pass },
  };
}

function isLoopback(host: string): boolean {
  return host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host) || /(?:^|\.)localhost$/.test(host);
}

/** A control character would end a command of SMTP. */
function decoded(part: string): string {
  let text: string;
  try {
    text = decodeURIComponent(part);
  } catch {
    throw new Error(`${EXAMPLE}, with % in a user or a password written as %25`);
  }
  if (/\p{Cc}/u.test(text)) throw new Error(EXAMPLE);
  return text;
}
