/** Wakes one sleeper; if it rings without one, the next does not sleep. */
export type Bell = {
  ring(): void;
  /** Resolves when it has rung since the last wait, or after `ms` milliseconds. */
  wait(ms: number): Promise<void>;
};

export function createBell(): Bell {
  let hasRung = false;
  let wake = () => {};
  return {
    ring() {
      hasRung = true;
      wake();
    },
    async wait(ms) {
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
