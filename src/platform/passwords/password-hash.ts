import { randomBytes, timingSafeEqual, type Argon2Parameters } from "node:crypto";
import { Worker } from "node:worker_threads";
import { normalized } from "../text.ts";

/** The parameters of argon2id. */
type Cost = { memoryKib: number; passes: number; parallelism: number };
type Costs = readonly [Cost, ...Cost[]];

/**
 * Every cost that a release has hashed with. New hashes use the first: to raise the cost, insert a new one before it. A
 * stored hash of any other cost matches no password, so that a restored file cannot make the server spend more memory
 * or time.
 */
const COSTS: Costs = [
  // RFC 9106, the recommendation for when 2 GiB a password are too much: 64 MiB, three passes, four lanes.
  { memoryKib: 65_536, passes: 3, parallelism: 4 },
];
/** The longest password, in code points. */
export const PASSWORD_MAX = 1_000;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Salt and tag, of the lengths above. */
const FORMAT = /^(.*)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** Passwords are stored as hashes of the current cost, and verified against hashes of every earlier cost. */
export type Passwords = {
  /**
   * The password's argon2id hash as a PHC string, which contains its parameters and salt, so that they can be raised
   * later. Throws for a longer password than PASSWORD_MAX.
   */
  hash(password: string): Promise<string>;
  /**
   * Whether the password has this hash. A stored text that is no hash, or null, matches no password, and a password
   * longer than PASSWORD_MAX has no hash. Both take as long as a real comparison.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
  /** Whether a hash has other parameters than new hashes. */
  isOutdated(stored: string): boolean;
  /** Whether a stored text is a valid hash. */
  isHash(stored: string): boolean;
};

export function createPasswords(costs: Costs = COSTS): Passwords {
  const [cost] = costs;
  /** It costs as much as a real hash, and matches no password. */
  const dummyHash = { cost, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const message = messageOf(password);
      if (message === null) throw new Error("a password that is too long was not refused");
      return format(cost, salt, await tagOf(message, cost, salt, TAG_BYTES));
    },
    async verify(password, stored) {
      const known = parse(stored ?? "", costs);
      const { salt, tag, ...its } = known ?? dummyHash;
      const message = messageOf(password);
      const isSame = timingSafeEqual(await tagOf(message ?? "", its.cost, salt, tag.length), tag);
      return isSame && known !== null && message !== null;
    },
    isOutdated: (stored) => parse(stored, costs)?.cost !== cost,
    isHash: (stored) => parse(stored, costs) !== null,
  };
}

/** The same characters, whatever form a keyboard sends (RFC 8265); null for a password that is too long. */
function messageOf(password: string): string | null {
  return normalized(password, PASSWORD_MAX);
}

async function tagOf(message: string, cost: Cost, salt: Buffer, tagLength: number): Promise<Buffer> {
  return await argon2id({
    message,
    nonce: salt,
    parallelism: cost.parallelism,
    tagLength,
    memory: cost.memoryKib,
    passes: cost.passes,
  });
}

function parse(stored: string, costs: Costs): { cost: Cost; salt: Buffer; tag: Buffer } | null {
  const [, parameters, salt = "", tag = ""] = FORMAT.exec(stored) ?? [];
  const cost = costs.find((each) => parametersOf(each) === parameters);
  if (cost === undefined) return null;
  return { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}

function format(cost: Cost, salt: Buffer, tag: Buffer): string {
  return `${parametersOf(cost)}$${base64(salt)}$${base64(tag)}`;
}

function parametersOf({ memoryKib, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}`;
}

/** As the PHC string format writes it: without padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

type Computing = { resolve: (tag: Buffer) => void; reject: (error: Error) => void };

let worker: Worker | null = null;
/** In the order of the requests, which is that of the answers. */
const computing: Computing[] = [];

/**
 * The argon2id tag of a message, computed on a separate thread with lower priority than requests: each takes a fifth of
 * a second of a processor and 64 MiB (docs/decisions/0038-passwords-beside-requests.md).
 */
export async function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  const thread = (worker ??= startWorker());
  // The process stays alive while a caller waits for a tag, but not for an idle thread.
  thread.ref();
  return await new Promise((resolve, reject) => {
    computing.push({ resolve, reject });
    thread.postMessage(parameters);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("argon2-worker.ts", import.meta.url));
  started.on("message", (tag: Uint8Array) => {
    computing.shift()?.resolve(Buffer.from(tag));
    if (computing.length === 0) started.unref();
  });
  started.on("error", (cause) => {
    worker = null;
    for (const { reject } of computing.splice(0)) reject(new Error("a password's hash was not computed", { cause }));
  });
  return started;
}
