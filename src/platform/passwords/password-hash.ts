import { randomBytes, timingSafeEqual } from "node:crypto";
import { normalized } from "../text.ts";
import { argon2id } from "./argon2.ts";

/** The parameters of argon2id. */
type Cost = { memoryKib: number; passes: number; parallelism: number };

// RFC 9106, the recommendation for when 2 GiB a password are too much: 64 MiB, three passes, four lanes.
const COST: Cost = { memoryKib: 65_536, passes: 3, parallelism: 4 };
/** The longest password, in code points. */
export const PASSWORD_MAX = 1_000;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const FORMAT = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Passwords are stored as hashes of one cost, and checked against those of any. */
export type Passwords = {
  /** The password's argon2id hash as a PHC string. Its parameters and salt are in it, so that they can be raised later. A longer one throws. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password has this hash. A stored text that is no hash, or null, is nobody's password, and a password longer than
   * PASSWORD_MAX has no hash. Both cost as much to find out.
   */
  verify(password: string, stored: string | null): Promise<boolean>;
  /** Whether a hash was made with other parameters than passwords are hashed with now. */
  isOutdated(stored: string): boolean;
};

export function createPasswords(cost = COST): Passwords {
  /** Nobody's: it costs as much as a hash that somebody has, and no password has it. */
  const nobodys = { cost, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const message = messageOf(password);
      if (message === null) throw new Error("a password that is too long was not refused");
      return format(cost, salt, await tagOf(message, cost, salt, TAG_BYTES));
    },
    async verify(password, stored) {
      const known = parse(stored ?? "");
      const { salt, tag, ...its } = known ?? nobodys;
      const message = messageOf(password);
      const isSame = timingSafeEqual(await tagOf(message ?? "", its.cost, salt, tag.length), tag);
      return isSame && known !== null && message !== null;
    },
    isOutdated(stored) {
      const known = parse(stored)?.cost;
      return (
        known?.memoryKib !== cost.memoryKib || known.passes !== cost.passes || known.parallelism !== cost.parallelism
      );
    },
  };
}

/** The same characters, however a keyboard composes them (RFC 8265); null of a password that is too long. */
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

function parse(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } | null {
  const [, memory, passes, parallelism, salt = "", tag = ""] = FORMAT.exec(stored) ?? [];
  if (memory === undefined) return null;
  const cost = { memoryKib: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}

function format({ memoryKib, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** As the PHC string format writes it: without padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
