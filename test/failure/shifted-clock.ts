/** For `node --import`: each SIGUSR2 sets the program's clock back by an hour, forward by one, and right again. */
const HOUR_MS = 3_600_000;
const SHIFTS = [-HOUR_MS, HOUR_MS, 0];
const Right = Date;
let turn = 0;
let shift = 0;

globalThis.Date = class extends Right {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [Right.now() + shift] : given) as [number]));
  }

  static override now(): number {
    return Right.now() + shift;
  }
} as DateConstructor;

process.on("SIGUSR2", () => (shift = SHIFTS[turn++ % SHIFTS.length] ?? 0));
