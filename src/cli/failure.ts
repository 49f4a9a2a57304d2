import { getSystemErrorMessage } from "node:util";
import { ClusterError } from "../platform/cluster/cluster-error.ts";
import { EncryptionKeyError } from "../platform/encryption/key-file.ts";
import { UndecryptableValue } from "../platform/encryption/keyring.ts";
import { isOfFile } from "../platform/error-code.ts";
import { DatabaseUnavailable } from "../platform/postgres/failures.ts";
import { Refusal } from "../platform/refusal.ts";
import { ConfigError } from "../platform/setting.ts";
import { Overloaded } from "../platform/sharing/overloaded.ts";

/** The program's own errors, whose messages are already written for operators. */
const OUR_OWN = [Refusal, ConfigError, ClusterError, EncryptionKeyError, UndecryptableValue, Overloaded];

/** An error with the properties that Node and the driver add. */
type SystemError = Error & {
  code?: string;
  syscall?: string;
  errno?: number;
  /** The path of a file, for its errors. */
  path?: string;
  address?: string;
  hostname?: string;
  port?: number;
  /** Present only in an answer from PostgreSQL. */
  severity?: string;
};

/** A failure as one line for an operator: no stack, and no value of a setting, which may be a secret. */
export function describeFailure(error: unknown): string {
  return lineOf(error).replaceAll(/\s+/g, " ").trim();
}

function lineOf(error: unknown): string {
  if (OUR_OWN.some((kind) => error instanceof kind)) return (error as Error).message;
  // The timers of Node throw an AbortError of their own, and the signal a DOMException.
  if (error instanceof Error && error.name === "AbortError") return "Interrupted.";
  const cause = causeOf(error);
  const { code, syscall, message, severity, hostname, errno, path } = cause;
  if (syscall === "listen" || syscall === "bind") return listenFailure(cause);
  if (syscall === "getaddrinfo") return `The host name ${hostname} is not known: check HOST and DATABASE_URL.`;
  if (severity !== undefined) {
    const isForeign = code === "42501" && /^permission denied for table|^must be owner of/.test(message);
    const owner = " The role of DATABASE_URL must own the tables: restore a dump as this role, with --no-owner.";
    return `PostgreSQL refused: ${message} (${code}).${isForeign ? owner : ""}`;
  }
  if (error instanceof DatabaseUnavailable || isConnectionFailure(cause)) {
    return `The database cannot be reached: ${message}. Check DATABASE_URL.`;
  }
  if (path !== undefined && errno !== undefined)
    return `${path} cannot be opened: ${getSystemErrorMessage(errno)}. Check the path.`;
  return syscall === undefined ? `Unexpected error: ${message}` : `${message}.`;
}

/** The original failure. Node tries each address of a host, and collects the failures without a message. */
function causeOf(error: unknown): SystemError {
  if (error instanceof DatabaseUnavailable && error.cause !== undefined) return causeOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error instanceof Error ? error : new Error(String(error));
}

function listenFailure({ code, address, port, message }: SystemError): string {
  switch (code) {
    case "EADDRINUSE":
      return `PORT ${port} is in use on ${address}: stop the program that has it, or set PORT to a free one.`;
    case "EACCES":
      return `PORT ${port} needs more rights than this user has: set PORT to 1024 or above.`;
    case "EADDRNOTAVAIL":
      return `HOST ${address} is not an address of this machine.`;
    default:
      return `HOST and PORT cannot be listened on: ${message}.`;
  }
}

/** Files are read as connections are: a directory in place of a file is no failure of a database. */
function isConnectionFailure(cause: SystemError): boolean {
  const { syscall, message } = cause;
  if (isOfFile(cause)) return false;
  return syscall === "connect" || syscall === "read" || /timeout expired|connection terminated|ssl/i.test(message);
}
