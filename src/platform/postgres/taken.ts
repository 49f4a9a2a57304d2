import { isUniqueViolation } from "./failures.ts";

/** A constraint that may reject a write, and the outcome then; null if the write is to be repeated. */
export type Refusing<Refused> = {
  isViolated: (error: unknown) => boolean;
  outcome: () => Promise<Refused | null>;
};

/** A unique index. @param outcome finds the record that has the value; null if it was deleted in the meantime */
export function uniqueIndex<Refused>(name: string, outcome: () => Promise<Refused | null>): Refusing<Refused> {
  return { isViolated: (error) => isUniqueViolation(error, name), outcome };
}

/** Writes. The constraints decide, not a look-up before the write. */
export async function storeUnique<Stored, Refused>(
  write: () => Promise<Stored>,
  constraints: readonly Refusing<Refused>[],
): Promise<Stored | Refused> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const violated = constraints.find(({ isViolated }) => isViolated(error));
      if (violated === undefined) throw error;
      const refused = await violated.outcome();
      if (refused !== null) return refused;
    }
  }
}
