import { isUniqueViolation } from "./failures.ts";

/**
 * Writes. If a unique index rejects the write, finds the record that has the value. The index decides, not a look-up
 * before the write. If that record has been deleted in the meantime, writes again.
 */
export async function unlessTaken<Written, Other>(
  index: string,
  write: () => Promise<Written>,
  findHolder: () => Promise<Other | null>,
): Promise<{ written: Written } | { holder: Other }> {
  for (;;) {
    try {
      return { written: await write() };
    } catch (error) {
      if (!isUniqueViolation(error, index)) throw error;
      const holder = await findHolder();
      if (holder !== null) return { holder };
    }
  }
}
