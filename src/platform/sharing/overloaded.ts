import { Stackless } from "../stackless.ts";

/** Too many requests at once: the caller waited too long, or hung up. Nothing was done. */
export class Overloaded extends Stackless {
  constructor(reason: string) {
    super(`Too many requests at once: ${reason}.`, { cause: reason });
    this.name = "Overloaded";
  }
}

/** The caller no longer waits for the answer. */
export function hungUp(): Overloaded {
  return new Overloaded("its caller hung up");
}
