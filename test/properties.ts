import fc from "fast-check";

/** The seed of all random steps: the same in each run, so that a change is what makes a test fail. */
export const SEED = Number(process.env.LIAISON_TEST_SEED ?? 20261129);

fc.configureGlobal({ seed: SEED });

export { fc };

/**
 * The runs of a property, or as many times those as LIAISON_TEST_TIMES says: a long look now and then
 * (CONTRIBUTING.md).
 */
export function runs(usually: number): number {
  return usually * Number(process.env.LIAISON_TEST_TIMES ?? 1);
}
