import path from "node:path";
import { parseEncryptionKeys, type EncryptionKey } from "./platform/encryption/keyring.ts";
import { parseNetworks, type Network } from "./platform/network.ts";

/** The environment (docs/operations.md 2), read once, at the start. */
export type Config = Readonly<{
  host: string;
  port: number;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** Absolute. */
  dataDir: string;
  /** Null: the keys in `encryption.keys` in `dataDir`, generated when they are first needed. */
  encryptionKeys: EncryptionKey[] | null;
  /** The address clients know us by, without a trailing slash. Null: as each request's Host header says. */
  publicUrl: string | null;
  trustedProxies: readonly Network[];
  /** Requests per minute and key; 0 is none. */
  rateLimit: number;
  /** Failed authentications per minute and address; 0 is no limit. */
  authFailureLimit: number;
  logLevel: string;
  /** Whether an empty embedded database gets the demo tenant. */
  demo: boolean;
}>;

/** A wrong value; the message is one line that names the variable, and never its value. */
export class ConfigError extends Error {
  constructor(variable: string, complaint: string) {
    super(`${variable} ${complaint}.`);
    this.name = "ConfigError";
  }
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Throws ConfigError for a wrong value. An empty variable counts as unset. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const read = <T>(variable: string, fallback: T, parse: (value: string) => T): T => {
    const value = environment[variable]?.trim();
    if (value === undefined || value === "") return fallback;
    try {
      return parse(value);
    } catch (error) {
      throw new ConfigError(variable, (error as Error).message);
    }
  };
  return Object.freeze({
    host: read("HOST", "127.0.0.1", (value) => value),
    port: read("PORT", 3000, (value) => wholeNumber(value, 65_535)),
    databaseUrl: read<string | null>("DATABASE_URL", null, postgresUrl),
    dataDir: path.resolve(read("LIAISON_DATA_DIR", "data", (value) => value)),
    encryptionKeys: read<EncryptionKey[] | null>("LIAISON_ENCRYPTION_KEYS", null, parseEncryptionKeys),
    publicUrl: read<string | null>("LIAISON_PUBLIC_URL", null, httpUrl),
    trustedProxies: read<Network[]>("LIAISON_TRUSTED_PROXIES", [], parseNetworks),
    rateLimit: read("LIAISON_RATE_LIMIT", 6_000, (value) => wholeNumber(value, 2_147_483_647)),
    authFailureLimit: read("LIAISON_AUTH_FAILURE_LIMIT", 1_000, (value) => wholeNumber(value, 2_147_483_647)),
    logLevel: read("LOG_LEVEL", "info", (value) => oneOf(value, LOG_LEVELS)),
    demo: read("LIAISON_DEMO", "on", (value) => oneOf(value, ["on", "off"])) === "on",
  });
}

function wholeNumber(value: string, max: number): number {
  if (!/^\d{1,10}$/.test(value) || Number(value) > max) throw new Error(`must be a whole number from 0 to ${max}`);
  return Number(value);
}

function oneOf(value: string, allowed: string[]): string {
  if (!allowed.includes(value)) throw new Error(`must be one of ${allowed.join(", ")}`);
  return value;
}

/** Checked without URL, which knows no host that is left out in favour of `?host=/socket/directory`. */
function postgresUrl(value: string): string {
  if (!/^postgres(?:ql)?:\/\/[^\s]*$/.test(value)) {
    throw new Error("must be a URL like postgres://user:password@host:5432/database");
  }
  return value;
}

function httpUrl(value: string): string {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new Error("must be a URL like https://crm.example.com");
  }
  return value.replace(/\/+$/, "");
}
