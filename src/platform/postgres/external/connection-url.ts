import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import tls from "node:tls";
import { errorCode } from "../../error-code.ts";
import { Refusal } from "../../refusal.ts";
import type { Connection } from "../database.ts";
import { connectingTo, type Host } from "./hosts.ts";

/** The parameters of a URL that are read here as libpq reads them; the driver gets the others. */
const READ: ReadonlySet<string> = new Set(
  "host hostaddr port user password dbname ssl requiressl sslmode sslrootcert sslcert sslkey".split(" "),
);
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"] as const;
type Mode = (typeof MODES)[number];

/** A connection as a URL describes it, as libpq reads one; `mayBePlain`: without TLS if the server has none. */
export type DatabaseUrl = { connection: Connection; mayBePlain: boolean };

/** Throws Refusal, one line without any part of the password. */
export function connectionTo(databaseUrl: string): DatabaseUrl {
  if (!/^postgres(?:ql)?:\/\//.test(databaseUrl)) refuse("it begins with postgres://.");
  const [, authority = "", database = "", search = ""] =
    /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(databaseUrl) ?? refuse(UNENCODED);
  const at = authority.lastIndexOf("@");
  const [user = "", ...secret] = at < 0 ? [] : authority.slice(0, at).split(":");
  if (database.includes("@") || search.includes("@")) refuse(UNENCODED);
  const parameters = new URLSearchParams(search.replaceAll("+", "%2B"));
  // As in libpq, the last one counts.
  const parameterOf = (name: string) => parameters.getAll(name).at(-1);
  const others = Object.fromEntries([...parameters].filter(([name]) => !READ.has(name)));
  // A misspelt one would leave the connection without TLS.
  if (Object.keys(others).some((name) => /^ssl(?!negotiation$)/i.test(name))) refuse(UNKNOWN);
  const hosts = hostsOf(authority.slice(at + 1), parameterOf);
  const name = parameterOf("dbname") ?? decoded(database);
  const password = parameterOf("password") ?? decoded(secret.join(":"));
  const mode = modeOf(parameterOf("sslmode"), parameterOf("ssl"), parameterOf("requiressl"));
  const host = hosts[0]?.host ?? "localhost";
  const connection: Connection = {
    ...others,
    host,
    port: hosts[0]?.port ?? DEFAULT_PORT,
    user: parameterOf("user") ?? decoded(user),
    // The driver takes an empty name for none.
    ...(password !== "" && { password }),
    ...(name !== "" && { database: name }),
    ssl: host.startsWith("/") ? false : sslOf(mode, parameterOf, hosts),
  };
  const isPlain = hosts.length === 1 && hosts[0]?.address === undefined;
  if (!isPlain) connection.stream = connectingTo(connection, hosts);
  return { connection, mayBePlain: mode === "prefer" || mode === "allow" };
}

const UNENCODED = "write the characters @ / : # ? % of a user or a password as %40 %2F %3A %23 %3F %25.";
const UNKNOWN = "of the parameters that begin with ssl, there are sslmode, sslrootcert, sslcert and sslkey.";
const DEFAULT_PORT = 5432;

function refuse(reason: string): never {
  throw new Refusal(`DATABASE_URL cannot be read: ${reason}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(UNENCODED);
  }
}

type ParameterOf = (name: string) => string | undefined;

/** `a:5432,b:5433`, or lists in the parameters `host`, `hostaddr` and `port`. */
function hostsOf(text: string, parameterOf: ParameterOf): Host[] {
  const listed = text.split(",").map((one) => /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(one) ?? refuse(UNENCODED));
  const names =
    parameterOf("host")?.split(",") ?? listed.map(([, name = ""]) => decoded(name).replace(/^\[(.*)\]$/, "$1"));
  const ports = parameterOf("port")?.split(",") ?? listed.map(([, , port = ""]) => port);
  const addresses = parameterOf("hostaddr")?.split(",") ?? [];
  return names.map((name, index) => {
    const port = Number(ports[ports.length === 1 ? 0 : index] || DEFAULT_PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) refuse("a port is a number from 1 to 65535.");
    const address = addresses[index] || undefined;
    const host = name || address || "localhost";
    return address === undefined ? { host, port } : { host, port, address };
  });
}

/** Without a mode, an older parameter decides: `ssl` of drivers, libpq's `requiressl`. */
function modeOf(mode: string | undefined, ssl: string | undefined, required: string | undefined): Mode {
  const wanted = mode ?? (ssl === undefined ? REQUIRED.get(required) : (SSL.get(ssl) ?? ssl));
  return MODES.find((one) => one === wanted) ?? refuse(`sslmode is one of ${MODES.join(", ")}.`);
}

const SSL: ReadonlyMap<string, Mode> = new Map([
  ["true", "verify-full"],
  ["1", "verify-full"],
  ["false", "disable"],
  ["0", "disable"],
]);
const REQUIRED: ReadonlyMap<string | undefined, Mode> = new Map([
  [undefined, "disable"],
  ["0", "disable"],
  ["1", "require"],
]);

function sslOf(mode: Mode, parameterOf: ParameterOf, hosts: readonly Host[]): Connection["ssl"] {
  if (mode === "disable") return false;
  const root = parameterOf("sslrootcert");
  const isSystem = root === "system";
  const authority = root === undefined || isSystem ? null : contentsOf("sslrootcert", root);
  // Otherwise each certificate of a server would be found untrusted.
  if (authority !== null) attempt(() => new X509Certificate(authority), "the file of sslrootcert has no certificate.");
  const [cert, key] = (["sslcert", "sslkey"] as const).map((name) => {
    const path = parameterOf(name);
    return path === undefined ? undefined : contentsOf(name, path);
  });
  if ((cert === undefined) !== (key === undefined)) refuse("sslcert and sslkey need each other.");
  attempt(() => tls.createSecureContext({ cert, key }), PAIR);
  const options: tls.ConnectionOptions = {
    ...(authority !== null && { ca: authority }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  };
  if (mode === "verify-ca" && root === undefined) {
    refuse("sslmode=verify-ca needs sslrootcert, a file with the authority's certificate.");
  }
  if (mode === "verify-full" || isSystem) {
    // The driver knows the first host alone.
    const check: typeof tls.checkServerIdentity = (name, certificate) => {
      const errors = hosts.map(({ host }) => tls.checkServerIdentity(host, certificate));
      return errors.includes(undefined) ? undefined : (errors[0] ?? tls.checkServerIdentity(name, certificate));
    };
    return hosts.length > 1 ? { ...options, checkServerIdentity: check } : options;
  }
  // As libpq does, `require` checks the certificate if there is an authority to check it with.
  const isChecked = mode === "verify-ca" || (mode === "require" && authority !== null);
  return isChecked ? { ...options, checkServerIdentity: () => undefined } : { ...options, rejectUnauthorized: false };
}

const PAIR = "sslcert and sslkey must be a certificate and its key, in PEM, without a passphrase.";

function attempt(reading: () => unknown, reason: string): void {
  try {
    reading();
  } catch {
    refuse(reason);
  }
}

function contentsOf(name: string, path: string): Buffer {
  try {
    return fs.readFileSync(path);
  } catch (error) {
    return refuse(`the file of ${name} cannot be read (${errorCode(error)}).`);
  }
}
