import { now } from "../clock.ts";
import type { Keyring } from "./keyring.ts";

/** A value that a browser or a mail carries: only this installation can make or read it. */
export type Sealing<T> = {
  seal: (keyring: Keyring, value: T) => string;
  /** Null for what another installation sealed, and for what is too old. */
  open: (keyring: Keyring, sealed: string | null) => T | null;
};

/**
 * @param name the context that the ciphertext is bound to, so that no other value passes for this one. No table has
 *   this column
 * @param longest the most characters of the ciphertext that are read
 * @param seconds how long it can be opened; without it always
 */
export function sealing<T>(name: `${string}.${string}`, longest: number, seconds = Infinity): Sealing<T> {
  return {
    seal(keyring, value) {
      const until = Number.isFinite(seconds) ? now() + seconds * 1_000 : null;
      return keyring.encrypt("", name, JSON.stringify([value, until]));
    },
    open(keyring, sealed) {
      if (sealed === null || sealed.length > longest) return null;
      const clear = keyring.clear("", name, sealed);
      if (clear === null) return null;
      const [value, until] = JSON.parse(clear) as [T, number | null];
      return until === null || until > now() ? value : null;
    },
  };
}
