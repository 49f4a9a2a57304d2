import tty from "node:tty";

/** Calls back at each SIGHUP. In a terminal the signal means that it was closed, and still ends the program. */
export function onHangUp(callback: () => void): void {
  if ([0, 1, 2].some((descriptor) => tty.isatty(descriptor))) return;
  process.on("SIGHUP", callback);
}
