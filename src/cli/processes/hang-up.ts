import tty from "node:tty";

/** Calls back at each SIGHUP. For a program in a terminal the signal means that the terminal closed, and still ends it. */
export function onHangUp(told: () => void): void {
  if ([0, 1, 2].some((descriptor) => tty.isatty(descriptor))) return;
  process.on("SIGHUP", told);
}
