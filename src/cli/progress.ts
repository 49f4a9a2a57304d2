/** The shortest interval between two updates: each is a write to the terminal. */
const INTERVAL_MS = 250;
const CLEAR_LINE = "\r\u001B[2K";

/** A progress line on standard error, if that is a terminal. */
export function showProgress(): { show: (line: () => string) => void; end: () => void } {
  const { stderr } = process;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(line) {
      if (!stderr.isTTY || performance.now() - shownAt < INTERVAL_MS) return;
      shownAt = performance.now();
      stderr.write(`${CLEAR_LINE}${line()}`);
    },
    end() {
      if (stderr.isTTY) stderr.write(CLEAR_LINE);
    },
  };
}
