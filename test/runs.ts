/**
 * The runs of a property, or as many times those as LIAISON_TEST_TIMES says: a long look now and then
 * (CONTRIBUTING.md).
 */
export function runs(usually: number): number {
  return usually * Number(process.env.LIAISON_TEST_TIMES ?? 1);
}
