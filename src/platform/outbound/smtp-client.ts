import { isIPv4 } from "node:net";
import { isEmail } from "../email.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** A message to one person. The texts may have any characters. */
export type SmtpMessage = {
  from: { name: string; address: string };
  /** The address for replies; left out: none. */
  replyTo?: { name: string; address: string };
  to: string;
  subject: string;
  text: string;
  html: string;
  attachments?: { filename: string; contentType: string; content: Buffer }[];
  /** Stays the same when the message is sent again, so that receivers can recognize it. */
  messageId: string;
  headers: Readonly<Record<string, string>>;
};

/** Why a message was not accepted. It goes to logs and pages, so it is one of our words, and no text of the server. */
export type SmtpFailure =
  | "unreachable"
  | "no-answer"
  | "no-tls"
  | "greeting"
  | "credentials"
  | "deferred"
  | "refused"
  | "cut-off";

/**
 * `accepted`: the server has the message. `refused`: it never takes mail for this address, or there can be none.
 * `failed`: it may be accepted later, or may have been accepted without an answer.
 */
export type SmtpOutcome =
  | { outcome: "accepted" }
  | { outcome: "refused"; reason: "recipient" | "address" }
  | { outcome: "failed"; reason: SmtpFailure; hasAnswered: boolean };

export type SmtpClient = {
  send(message: SmtpMessage, signal: AbortSignal): Promise<SmtpOutcome>;
};

/** An error of the library. Its message may quote the server, so it is never used. */
type SmtpError = {
  code?: string;
  command?: string;
  errno?: number;
  response?: unknown;
  responseCode?: number;
  timeoutType?: string;
};

/**
 * A client of the operator's mail server. Each message has a connection of its own. The library is loaded for the first
 * one: most processes send none.
 * @param site our address for people, whose host the greeting names. The host of a container has no dot, and strict
 * servers refuse such a greeting.
 */
export function openSmtp(server: SmtpServer, timeoutMs: number, site: string | null): SmtpClient {
  let opened: ReturnType<typeof open> | null = null;
  return {
    async send({ to, headers, ...message }, signal) {
      // Every character of an address is sent in a command of SMTP.
      if (!isEmail(to)) return { outcome: "refused", reason: "address" };
      const transport = await (opened ??= open(server, timeoutMs, greetingOf(site)));
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        await transport.sendMail({
          ...message,
          to: { name: "", address: to },
          headers: { ...headers, "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, timeout]),
        });
        return { outcome: "accepted" };
      } catch (error) {
        return outcomeOf(error as SmtpError, timeout.aborted);
      }
    },
  };
}

async function open(
  { host, port, isSecure, requiresTls, auth }: SmtpServer,
  timeoutMs: number,
  name: string | undefined,
) {
  const { createTransport } = await import("nodemailer");
  const isName = /(?:^|\.)localhost$/.test(host);
  return createTransport({
    // No name server knows these names (docs/decisions/0028-calls-out.md).
    host: isName ? "127.0.0.1" : host,
    ...(isName ? { tls: { servername: host } } : {}),
    ...(name === undefined ? {} : { name }),
    port,
    secure: isSecure,
    requireTLS: requiresTls,
    // A server on loopback often has a certificate that nobody trusts.
    ignoreTLS: !requiresTls,
    ...(auth === null ? {} : { auth, forceAuth: true }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 0,
    logger: false,
  });
}

/** The name of `EHLO`; undefined for a host without a dot. An address is in brackets (RFC 5321, 4.1.3). */
function greetingOf(site: string | null): string | undefined {
  const host = site === null ? "" : new URL(site).hostname;
  if (host.startsWith("[")) return `[IPv6:${host.slice(1)}`;
  if (isIPv4(host)) return `[${host}]`;
  return host.includes(".") ? host : undefined;
}

function outcomeOf(error: SmtpError, isLate: boolean): SmtpOutcome {
  const { code, command, errno, responseCode = 0, timeoutType } = error;
  const failed = (reason: SmtpFailure, hasAnswered: boolean): SmtpOutcome => ({
    outcome: "failed",
    reason,
    hasAnswered,
  });
  const isForGood = responseCode >= 500 && responseCode !== 503;
  if (command === "RCPT TO" && isOfRecipient(error)) return { outcome: "refused", reason: "recipient" };
  if (code === "EABORT") return isLate ? failed("no-answer", false) : failed("cut-off", false);
  if (code === "ETIMEDOUT") return failed(timeoutType === "CONNECT_TIMEOUT" ? "unreachable" : "no-answer", false);
  // An error of TLS, such as a certificate that nobody trusts, has no number of the system.
  if (code === "ETLS" || (code === "ESOCKET" && errno === undefined)) return failed("no-tls", true);
  const isLater = responseCode >= 400 && responseCode < 500;
  if ((code === "EAUTH" || code === "ENOAUTH") && !isLater) return failed("credentials", true);
  if (responseCode >= 400 && /^(?:EHLO|HELO)$/.test(command ?? "")) return failed("greeting", true);
  if (responseCode >= 400) return failed(isForGood ? "refused" : "deferred", true);
  return failed(code === "ESOCKET" || code === "EDNS" ? "unreachable" : "no-answer", false);
}

/**
 * Whether a mailbox does not exist. By the enhanced code (RFC 3463), where there is one: 5.1.7 and 5.1.8 are about the
 * sender, 5.2.2 is a full mailbox, and 5.7.x is a relay that does not know us. These may be mended within a day. Exim
 * and qmail write it in words only.
 */
function isOfRecipient({ responseCode = 0, response }: SmtpError): boolean {
  const [, enhanced] = /^5\d\d[ -](\d\.\d{1,3}\.\d{1,3})(?!\d)/.exec(String(response)) ?? [];
  if (enhanced === undefined) return [550, 551, 553].includes(responseCode) && !OF_RELAY.test(String(response));
  return /^5\.1\.(?![78]$)/.test(enhanced);
}

/** Words about the sender, not the recipient. */
const OF_RELAY =
  /\b(?:relay(?:ing|ed)?\b(?! recipient)|rcpthosts|authenti|unauthenti|sender|blocked|black|spam|spf|dkim|dmarc|polic|prohibit|reputation|denied|your (?:ip|host|server))/i;
