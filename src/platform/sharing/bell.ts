/** Wakes one sleeper; if it rings without one, the next does not sleep. */
export type Bell = {
  ring(): void;
  /** Resolves when it has rung since the last time it was heard, or after `ms` milliseconds. */
  heard(ms: number): Promise<void>;
};

export function createBell(): Bell {
  let hasRung = false;
  let wake = () => {};
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async heard(ms) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
    },
  };
}
