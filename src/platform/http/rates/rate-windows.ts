/** The hits of one subject in the minute that began with the first of them. */
export type RateWindow = {
  /** Milliseconds since the epoch. */
  endsAt: number;
  hits: number;
  /** The part of these that has not been reported to the other processes. */
  unsent: number;
};

const MOST_WINDOWS = 50_000;

/** The windows of subjects, limited in number, so that memory stays bounded under attack. */
export class RateWindows {
  /** In the order in which they were opened. */
  readonly #windows = new Map<string, RateWindow>();

  /** The subject's window, unless it has ended by then. */
  current(subject: string, time: number): RateWindow | undefined {
    const window = this.#windows.get(subject);
    return window !== undefined && window.endsAt > time ? window : undefined;
  }

  open(subject: string, endsAt: number, time: number): RateWindow {
    this.#windows.delete(subject);
    this.#makeRoom(time);
    const window = { endsAt, hits: 0, unsent: 0 };
    this.#windows.set(subject, window);
    return window;
  }

  /** Removes the windows that have ended and, if that is not enough, the oldest. */
  #makeRoom(time: number): void {
    for (const [subject, { endsAt }] of this.#windows) {
      if (endsAt > time && this.#windows.size < MOST_WINDOWS) return;
      this.#windows.delete(subject);
    }
  }
}
