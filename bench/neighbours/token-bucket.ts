const PAUSE_MS = 5;

/**
 * A pace: `rate` turns a second, and as many at once as were left over, up to `burst`.
 * @returns resolves with true when it is somebody's turn, with false when `stop` is aborted
 */
export function tokenBucket(rate: number, burst: number, stop: AbortSignal): () => Promise<boolean> {
  let tokens = burst;
  let last = performance.now();
  return async () => {
    while (!stop.aborted) {
      const now = performance.now();
      if (tokens !== Infinity) tokens = Math.min(burst, tokens + ((now - last) * rate) / 1_000);
      last = now;
      if (tokens >= 1) {
        tokens--;
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return false;
  };
}
