/** Too much is asked for at once: whoever asked was kept waiting for too long, or hung up meanwhile. Nothing was done. */
export class Overloaded extends Error {
  constructor(reason: string) {
    super(`Too much is asked for at once: ${reason}.`, { cause: reason });
    this.name = "Overloaded";
  }
}

/** Nobody waits for the answer any more. */
export function hungUp(): Overloaded {
  return new Overloaded("its caller hung up");
}
