import { isUniqueViolation } from "./failures.ts";

/**
 * Writes; where a unique index refuses that, finds who has the value. The index decides, and no look-up before the write.
 * Writes again when the holder is gone meanwhile.
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
