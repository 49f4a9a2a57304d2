/** The buckets of an ageing: the first day late and the last one. Amounts that are not due have one of their own. */
export const LATE = [
  ["days_1_30", 1, 30],
  ["days_31_60", 31, 60],
  ["days_61_90", 61, 90],
  ["days_over_90", 91, null],
] as const;
export const bucketNames = ["not_due", ...LATE.map(([name]) => name)] as const;
export type BucketName = (typeof bucketNames)[number];
