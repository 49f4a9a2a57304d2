import path from "node:path";
import { isEmail } from "../platform/email.ts";
import { parseEncryptionKeys, type EncryptionKey } from "../platform/encryption/keyring.ts";
import { contentOf, readEnvironmentFile } from "../platform/environment-file.ts";
import { parseNetworks, type Network } from "../platform/network.ts";
import { parseSmtpUrl, type SmtpServer } from "../platform/outbound/smtp-url.ts";
import { ConfigError, integerWithin, type Read } from "../platform/setting.ts";
import { readBackupConfig, type BackupSchedule } from "./backup-schedule.ts";
import { parseUrlTemplate } from "./warehouse/instance-url.ts";

/** The settings (docs/operations.md 2), read once, at the start. */
export type Config = Readonly<{
  host: string;
  port: number;
  /** The port of `GET /metrics`; null: none. */
  metricsPort: number | null;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Absolute. */
  dataDir: string;
  /** The folder of PostgreSQL's programs for the embedded database; null: those of the package. */
  postgresBin: string | null;
  /** Null: the keys in `encryption.keys` in `dataDir`, generated when they are first needed. */
  encryptionKeys: EncryptionKey[] | null;
  /** Our address as clients use it, without a trailing slash. Null: taken from each request's Host header. */
  publicUrl: string | null;
  trustedProxies: readonly Network[];
  /** The origins whose pages may call the API from a browser. */
  corsOrigins: readonly string[];
  /** Requests per minute and key; 0 is none. */
  rateLimit: number;
  /** Failed authentications per minute and address; 0 is no limit. */
  authFailureLimit: number;
  /** The most bytes that the files of one tenant's imports may use. */
  importQuota: number;
  logLevel: string;
  /** Whether each request has a line in the log. */
  accessLog: boolean;
  /** Whether an empty embedded database gets the demo tenant. */
  demo: boolean;
  /** The time in which a stopping server still accepts requests. */
  drainSeconds: number;
  /** The backups that a server makes; `elsewhere`: other tools make them. */
  backups: BackupSchedule | "elsewhere" | null;
  /** Whether a server runs jobs too. */
  worker: boolean;
  wms: WmsConfig;
  /** The networks that webhooks may reach, in addition to public addresses. */
  webhookNetworks: readonly Network[];
  /** Null: no mail is sent. */
  mail: MailConfig | null;
  /** The register of companies that fiscal ids are looked up in, without a trailing slash; null: none. */
  companyLookupUrl: string | null;
  /** The networks where identity providers may be, in addition to public addresses. */
  oidcNetworks: readonly Network[];
}>;

/** The settings for mail. Links need `publicUrl`, so it is set too. */
export type MailConfig = Readonly<{
  server: SmtpServer;
  from: { name: string; address: string };
  /** The limit for a whole message, the connection included. */
  timeoutSeconds: number;
}>;

/** The settings for calls of warehouse management systems (docs/operations.md 2). */
export type WmsConfig = Readonly<{
  /** With `{subdomain}` in its host, without a trailing slash. Null: nothing can be sent. */
  url: string | null;
  /** The part before the slash of an order's external source. */
  source: string;
  /** The networks that may be called in addition to public addresses. */
  privateNetworks: readonly Network[];
  /** The limit for a whole call. */
  timeoutSeconds: number;
  /** The most concurrent calls of one WMS. */
  concurrency: number;
  /** An order that look-ups do not find counts as absent after this time. */
  settleSeconds: number;
  /** The longest pause before the first retry; it doubles. */
  retryMs: number;
  /** Between two reads of an order that changes; it doubles while the order does not change. */
  pollSeconds: number;
  /** In lower case: the statuses after which an order is no longer read from the warehouse. */
  finalStatuses: readonly string[];
}>;

const FINAL_STATUSES = ["shipped", "delivered", "completed", "closed", "cancelled", "canceled"];
const DAY_SECONDS = 86_400;

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** The server reads this file, so commands read it too. */
const DEFAULT_FILE = "/etc/liaison.env";
/** The settings that may be in a separate file, which `<name>_FILE` names. */
const SECRETS = ["DATABASE_URL", "LIAISON_ENCRYPTION_KEYS", "LIAISON_MAIL_URL"] as const;

/**
 * The settings of this process: its environment and, for variables that are unset there, the file of `--config`, or
 * else /etc/liaison.env if it exists. `options` of the command line replace both. `remark` is a line for the operator,
 * or null. Throws ConfigError.
 */
export function readSettings(file: string | undefined, options: Record<string, string> = {}): Settings {
  const name = file ?? DEFAULT_FILE;
  const found = readEnvironmentFile(name, refusal);
  if (found === null && file !== undefined) throw refusal(file, "is not there: --config names a file of settings");
  const { entries, isOpen } = found ?? { entries: new Map<string, string>(), isOpen: false };
  const environment = { ...process.env, ...options };
  for (const [variable, value] of entries) if (!isSet(environment, variable)) environment[variable] = value;
  const hasSecrets = SECRETS.some((secret) => (entries.get(secret) ?? "") !== "");
  const remark = isOpen && hasSecrets ? `${name} has secrets, and everybody may read it: chmod o-r ${name}` : null;
  const known = new Set<string>();
  return { config: readConfig(environment, known), remark, unknown: unknownSettings(Object.keys(environment), known) };
}

/** The settings, and lines for the operator: `unknown` only for programs that keep running. */
type Settings = { config: Config; remark: string | null; unknown: string | null };

/** Kubernetes gives these to the pods beside a service named `liaison`. */
const OF_KUBERNETES = /^LIAISON_(?:SERVICE_|PORT(?:_|$))/;

/** One line that names variables with our prefix that mean nothing, each with the nearest known name; else null. */
function unknownSettings(variables: readonly string[], known: ReadonlySet<string>): string | null {
  const names = [...known, ...SECRETS.map((secret) => `${secret}_FILE`)];
  const unknown = variables.filter(
    (name) => name.startsWith("LIAISON_") && !names.includes(name) && !OF_KUBERNETES.test(name),
  );
  if (unknown.length === 0) return null;
  const each = unknown.map((name) => {
    const [nearest = ""] = names.toSorted((one, other) => distance(name, one) - distance(name, other));
    return distance(name, nearest) <= MOST_TYPOS ? `${name} (${nearest}?)` : name;
  });
  return `Unknown settings are ignored: ${each.join(", ")}.`;
}

const MOST_TYPOS = 4;

/** The letters to insert, remove or replace until two names are equal (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index++) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] ?? 0) + (one[index] === other[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Whether a variable is set, or its `_FILE` form: the two are one setting. */
function isSet(environment: NodeJS.ProcessEnv, variable: string): boolean {
  const secret = SECRETS.find((each) => variable === each || variable === `${each}_FILE`);
  const forms = secret === undefined ? [variable] : [secret, `${secret}_FILE`];
  return forms.some((form) => (environment[form] ?? "").trim() !== "");
}

function refusal(place: string, complaint: string): ConfigError {
  return new ConfigError(place, complaint);
}

/** Throws ConfigError for a wrong value. An empty variable counts as unset. `known` gets the name of each setting. */
export function readConfig(environment: NodeJS.ProcessEnv, known = new Set<string>()): Config {
  const read: Read = (variable, fallback, parse) => {
    known.add(variable);
    const value = valueOf(environment, variable);
    if (value === "") return fallback;
    try {
      return parse(value);
    } catch (error) {
      throw new ConfigError(variable, (error as Error).message);
    }
  };
  return Object.freeze({
    host: read("HOST", "127.0.0.1", (value) => value),
    port: read("PORT", 3000, (value) => integerWithin(value, 65_535)),
    metricsPort: read<number | null>("LIAISON_METRICS_PORT", null, (value) => integerWithin(value, 65_535)),
    databaseUrl: read<string | null>("DATABASE_URL", null, postgresUrl),
    dataDir: path.resolve(read("LIAISON_DATA_DIR", "data", (value) => value)),
    postgresBin: read<string | null>("LIAISON_POSTGRES_BIN", null, (value) => path.resolve(value)),
    encryptionKeys: read<EncryptionKey[] | null>("LIAISON_ENCRYPTION_KEYS", null, parseEncryptionKeys),
    publicUrl: read<string | null>("LIAISON_PUBLIC_URL", null, httpUrl),
    trustedProxies: read<Network[]>("LIAISON_TRUSTED_PROXIES", [], networkList),
    corsOrigins: read<string[]>("LIAISON_CORS_ORIGINS", [], originList),
    rateLimit: read("LIAISON_RATE_LIMIT", 6_000, (value) => integerWithin(value, 2_147_483_647)),
    authFailureLimit: read("LIAISON_AUTH_FAILURE_LIMIT", 1_000, (value) => integerWithin(value, 2_147_483_647)),
    importQuota: read("LIAISON_IMPORT_QUOTA", 1_024, (value) => integerWithin(value, 1_048_576, 1)) * 2 ** 20,
    logLevel: read("LOG_LEVEL", "info", (value) => oneOf(value, LOG_LEVELS)),
    accessLog: read("LIAISON_ACCESS_LOG", false, onOrOff),
    demo: read("LIAISON_DEMO", true, onOrOff),
    drainSeconds: read("LIAISON_DRAIN_SECONDS", 5, (value) => integerWithin(value, 300)),
    backups: readBackupConfig(read),
    worker: read("LIAISON_WORKER", true, onOrOff),
    wms: readWmsConfig(read),
    webhookNetworks: read<Network[]>("LIAISON_WEBHOOK_PRIVATE_NETWORKS", [], networkList),
    mail: readMailConfig(read),
    companyLookupUrl: read<string | null>("LIAISON_COMPANY_LOOKUP_URL", null, httpUrl),
    oidcNetworks: read<Network[]>("LIAISON_OIDC_PRIVATE_NETWORKS", [], networkList),
  });
}

/** The value of a variable, or of the file that `<name>_FILE` names; empty if unset. */
function valueOf(environment: NodeJS.ProcessEnv, variable: string): string {
  const value = (environment[variable] ?? "").trim();
  const form = `${variable}_FILE`;
  const file = SECRETS.some((secret) => secret === variable) ? (environment[form] ?? "").trim() : "";
  if (file === "") return value;
  if (value !== "") throw refusal(variable, `and ${form} are both set: keep one of them`);
  const content = contentOf(file, (_place, complaint) => refusal(`${form} names ${file}, which`, complaint))?.trim();
  if (content === undefined || content === "")
    throw refusal(`${form} names ${file}, which`, content === undefined ? "is not there" : "is empty");
  return content;
}

function readWmsConfig(read: Read): WmsConfig {
  return Object.freeze({
    url: read<string | null>("LIAISON_WMS_URL", null, parseUrlTemplate),
    source: read("LIAISON_WMS_SOURCE", "liaison", sourceName),
    privateNetworks: read<Network[]>("LIAISON_WMS_PRIVATE_NETWORKS", [], networkList),
    timeoutSeconds: read("LIAISON_WMS_TIMEOUT", 30, (value) => integerWithin(value, 600, 1)),
    concurrency: read("LIAISON_WMS_CONCURRENCY", 4, (value) => integerWithin(value, 100, 1)),
    settleSeconds: read("LIAISON_WMS_SETTLE", 60, (value) => integerWithin(value, DAY_SECONDS)),
    retryMs: read("LIAISON_WMS_RETRY_MS", 1_000, (value) => integerWithin(value, 900_000, 1)),
    pollSeconds: read("LIAISON_WMS_POLL", 60, (value) => integerWithin(value, DAY_SECONDS, 1)),
    finalStatuses: read("LIAISON_WMS_FINAL", FINAL_STATUSES, statusList),
  });
}

function readMailConfig(read: Read): MailConfig | null {
  const server = read<SmtpServer | null>("LIAISON_MAIL_URL", null, parseSmtpUrl);
  const from = read<MailConfig["from"] | null>("LIAISON_MAIL_FROM", null, sender);
  const timeoutSeconds = read("LIAISON_MAIL_TIMEOUT", 60, (value) => integerWithin(value, 600, 1));
  if (server === null) return null;
  const missing = (variable: string, why: string) =>
    refusal(variable, `is needed where LIAISON_MAIL_URL is set: ${why}`);
  if (from === null) throw missing("LIAISON_MAIL_FROM", "it is the sender of mail, such as Liaison <crm@example.com>");
  if (read<string | null>("LIAISON_PUBLIC_URL", null, httpUrl) === null)
    throw missing("LIAISON_PUBLIC_URL", "the links in mail begin with it");
  return Object.freeze({ server, from, timeoutSeconds });
}

function sender(value: string): MailConfig["from"] {
  const [, name = "", bracketed, bare] = /^(?:([^<>"\p{Cc}]*)<([^<>]*)>|([^<>]*))$/u.exec(value) ?? [];
  const address = bracketed ?? bare ?? "";
  if (!isEmail(address)) throw new Error("must be an address like crm@example.com, or Liaison <crm@example.com>");
  return { name: name.trim(), address };
}

function networkList(value: string): Network[] {
  try {
    return parseNetworks(value);
  } catch {
    // The parser's own error would contain the value.
    throw new Error("must be networks like 10.0.0.0/8 or 2001:db8::/32, with commas between them");
  }
}

/** It is used in a header, and before a slash. */
function sourceName(value: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(value))
    throw new Error("must be letters, digits, ., _ and -, at most 63");
  return value;
}

function statusList(value: string): string[] {
  const statuses = value.split(",").map((status) => status.trim().toLowerCase());
  if (statuses.includes("")) throw new Error("must be statuses with commas between them");
  return statuses;
}

function originList(value: string): string[] {
  const origins = value.split(",").map((origin) => origin.trim());
  // A browser sends an origin without a path, a slash or its scheme's default port.
  if (origins.some((origin) => !/^https?:/.test(origin) || URL.parse(origin)?.origin !== origin)) {
    throw new Error("must be origins like https://app.example.com, with commas between them");
  }
  return origins;
}

function onOrOff(value: string): boolean {
  return oneOf(value, ["on", "off"]) === "on";
}

function oneOf(value: string, allowed: string[]): string {
  if (!allowed.includes(value)) throw new Error(`must be one of ${allowed.join(", ")}`);
  return value;
}

/** Checked without URL, which rejects a missing host, as in `?host=/socket/directory`. */
function postgresUrl(value: string): string {
  if (!/^postgres(?:ql)?:\/\/[^\s]*$/.test(value)) {
    throw new Error("must be a URL like postgres://user:password@host:5432/database");
  }
  return value;
}

function httpUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new Error("must be a URL like https://crm.example.com");
  }
  // In the form that URLs get everywhere: providers compare our redirect URI character by character.
  return url.href.replace(/\/+$/, "");
}
