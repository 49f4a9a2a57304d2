import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomBytes,
  randomFillSync,
  type KeyObject,
} from "node:crypto";
import { BoundedMap } from "../bounded-map.ts";
import { now } from "../clock.ts";
import { phoneNumbersIn } from "../phone-numbers.ts";
import type { TenantId } from "../postgres/tenant-id.ts";
import { phoneDigests, phonePrefix } from "./phone-digest.ts";

/** The table and column that a value belongs to: `companies.phone`. */
export type ColumnName = `${string}.${string}`;

/**
 * Encrypts single values with AES-256-GCM, bound to tenant, table and column: a ciphertext moved elsewhere does not
 * decrypt (docs/contract.md 10.2). Stored as `<key id>:<base64 of nonce, ciphertext, tag>`, so that keys rotate online.
 */
export type Keyring = {
  /** The encryption key that new values are encrypted with. */
  readonly currentKeyId: string;
  encrypt(tenant: TenantId | "", column: ColumnName, clear: string): string;
  /**
   * The same for a phone, followed by the digests that make it searchable (phone-digest.ts): `<key
   * id>:<base64>=<digests>`.
   */
  encryptPhone(tenant: TenantId, column: ColumnName, clear: string): string;
  /** The digests of a phone's numbers, by which it is searched for. */
  phoneDigests(tenant: TenantId, clear: string): string[];
  /** The beginnings of the digests of a phone that ends with these digits, one for each available encryption key. */
  phonePrefixes(tenant: TenantId, digits: string): string[];
  /** Throws UndecryptableValue for a value with an unknown encryption key, and for a damaged or moved value. */
  decrypt(tenant: TenantId | "", column: ColumnName, stored: string): string;
  /** As decrypt; null for such a value. */
  clear(tenant: TenantId | "", column: ColumnName, stored: string): string | null;
  /**
   * As clear, for values that are displayed: one damaged row must not break the others. Damage is reported to the
   * operator.
   */
  reveal(tenant: TenantId | "", column: ColumnName, stored: string): string | null;
  /** Replaces the encryption keys by a newer set, which must contain those that stored values still need. */
  replaceEncryptionKeys(keys: EncryptionKey[]): void;
};

/** The keyring, and the tenant whose values it encrypts. */
export type Secrets = { keyring: Keyring; tenant: TenantId };

export type EncryptionKey = { id: string; key: Buffer };

export class UndecryptableValue extends Error {
  constructor(column: ColumnName) {
    super(`A value of ${column} does not decrypt with the present keys.`);
    this.name = "UndecryptableValue";
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/**
 * Decrypting takes 5 microseconds, a quarter of the time of a list of 50. A ciphertext always has the same clear text,
 * so that can be cached: about 5 MB.
 */
const REMEMBERED_VALUES = 20_000;
/** A longer value, such as a part of a file, is decrypted each time: this many of them would not fit into memory. */
const LONGEST_REMEMBERED = 1_000;
/** Values that do not decrypt are remembered, so that each is reported once. */
const REMEMBERED_FAILURES = 1_000;
/** New encryption keys are loaded at most once in this time for each unknown key id, not for each value. */
const RELOAD_INTERVAL_MS = 1_000;

export type KeyringOptions = {
  /** Loads current encryption keys when a value names an unknown one. */
  reload?: () => EncryptionKey[];
  /** Called for each value that reveal() could not decrypt. */
  onUndecryptable?: (tenant: TenantId | "", column: ColumnName) => void;
};

/** `keys` newest first. */
export function createKeyring(
  keys: EncryptionKey[],
  { reload = () => [], onUndecryptable = () => {} }: KeyringOptions = {},
): Keyring {
  let current = first(keys);
  let byId = new Map(keys.map(({ id, key }) => [id, key]));
  const memory = new BoundedMap<string>(REMEMBERED_VALUES);
  const reported = new BoundedMap<true>(REMEMBERED_FAILURES);
  const reloadedAt = new BoundedMap<number>(REMEMBERED_FAILURES);

  function replaceEncryptionKeys(newer: EncryptionKey[]): void {
    current = first(newer);
    byId = new Map(newer.map(({ id, key }) => [id, key]));
  }

  function keyOf(id: string): Buffer | undefined {
    const time = byId.has(id) ? 0 : now();
    if (time - (reloadedAt.get(id) ?? 0) >= RELOAD_INTERVAL_MS) {
      reloadedAt.set(id, time);
      const reloaded = reload();
      if (reloaded.length > 0) replaceEncryptionKeys(reloaded);
    }
    return byId.get(id);
  }

  function clear(tenant: TenantId | "", column: ColumnName, stored: string): string | null {
    const value = `${tenant}:${column}:${stored}`;
    const remembered = memory.get(value);
    if (remembered !== undefined) return remembered;
    const colon = stored.indexOf(":");
    const key = keyOf(stored.slice(0, colon));
    const bytes = Buffer.from(stored.slice(colon + 1).split("=", 1)[0] ?? "", "base64");
    const text = key === undefined ? null : decipher(key, boundTo(tenant, column), bytes);
    if (text !== null && stored.length <= LONGEST_REMEMBERED) memory.set(value, text);
    return text;
  }

  function encrypt(tenant: TenantId | "", column: ColumnName, text: string): string {
    return `${current.id}:${encipher(current.key, boundTo(tenant, column), text).toString("base64")}`;
  }

  function digestsOf(tenant: TenantId, phone: string): string[] {
    return phoneNumbersIn(phone).map((digits) => phoneDigests(current.key, tenant, digits));
  }

  return {
    clear,
    encrypt,
    get currentKeyId() {
      return current.id;
    },
    replaceEncryptionKeys,
    encryptPhone(tenant, column, text) {
      const ciphertext = encrypt(tenant, column, text).replace(/=+$/, "");
      return `${ciphertext}=${digestsOf(tenant, text).join("=")}`;
    },
    phoneDigests: digestsOf,
    phonePrefixes(tenant, digits) {
      return [...byId.values()].map((key) => phonePrefix(key, tenant, digits));
    },
    decrypt(tenant, column, stored) {
      const text = clear(tenant, column, stored);
      if (text === null) throw new UndecryptableValue(column);
      return text;
    },
    reveal(tenant, column, stored) {
      const text = clear(tenant, column, stored);
      if (text !== null) return text;
      const value = `${tenant}:${column}:${stored}`;
      if (reported.get(value) === undefined) onUndecryptable(tenant, column);
      reported.set(value, true);
      return null;
    },
  };
}

/** The column and tenant of a value, as authenticated by the cipher. */
function boundTo(tenant: TenantId | "", column: ColumnName): Buffer {
  const text = `liaison:${tenant}:${column}`;
  return bounds.getOrInsertComputed(text, () => Buffer.from(text));
}

const bounds = new BoundedMap<Buffer>(10_000);

/** Prepared keys: a key of bytes is prepared for each value. */
const prepared = new WeakMap<Buffer, KeyObject>();

/** Random bytes for this many nonces are drawn at once: each draw takes as long as encrypting a value. */
const NONCES = Buffer.alloc(256 * NONCE_BYTES);
let drawn = NONCES.length;

/** Random bytes that are used once. Valid only until the next call, because the buffer is reused. */
function drawNonce(): Buffer {
  if (drawn === NONCES.length) {
    randomFillSync(NONCES);
    drawn = 0;
  }
  return NONCES.subarray(drawn, (drawn += NONCE_BYTES));
}

/** Nonce, ciphertext, tag. */
function encipher(key: Buffer, bound: Buffer, clear: string): Buffer {
  const nonce = drawNonce();
  const secret = prepared.getOrInsertComputed(key, () => createSecretKey(key));
  const cipher = createCipheriv("aes-256-gcm", secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  return Buffer.concat([nonce, cipher.update(clear, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** Null if this encryption key did not encrypt the bytes for this column and tenant. */
function decipher(key: Buffer, bound: Buffer, bytes: Buffer): string | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  // Without the length, Node would accept a shortened tag.
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const cipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(bound);
  cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + cipher.final("utf8");
  } catch {
    return null;
  }
}

/** Reads `id:base64` entries of 32 bytes, comma-separated, newest first. Throws with a message fit for an operator. */
export function parseEncryptionKeys(text: string): EncryptionKey[] {
  const keys = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const match = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry);
      const key = Buffer.from(match?.[2] ?? "", "base64");
      if (match?.[1] === undefined || key.length !== KEY_BYTES) {
        throw new Error("must be comma-separated id:base64 entries of 32 bytes each, newest first");
      }
      return { id: match[1], key };
    });
  if (keys.length === 0) throw new Error("must hold at least one id:base64 entry");
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error("must not name a key id twice");
  return keys;
}

export function formatEncryptionKeys(keys: EncryptionKey[]): string {
  return keys.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(",");
}

/** A new random encryption key with an unused id. */
export function generateEncryptionKey(taken: EncryptionKey[]): EncryptionKey {
  const used = new Set(taken.map(({ id }) => id));
  let number = taken.length + 1;
  while (used.has(`k${number}`)) number++;
  return { id: `k${number}`, key: randomBytes(KEY_BYTES) };
}

function first(keys: EncryptionKey[]): EncryptionKey {
  const [key] = keys;
  if (key === undefined) throw new Error("a keyring needs a key");
  return key;
}
