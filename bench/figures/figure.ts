/** A number that the project sets itself a goal for. Without a goal it is only told. */
export type Figure = {
  name: string;
  value: number;
  unit?: string;
  atLeast?: number;
  atMost?: number;
  /** The same by processor time (cpuRatioTo). */
  byCpu?: number;
};

export function isReached({ value, atLeast, atMost }: Pick<Figure, "value"> & Goal): boolean {
  return value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
}

type Goal = { atLeast?: number | undefined; atMost?: number | undefined };
