/** Aborted by the first SIGTERM or SIGINT; later ones change nothing. */
export function stopRequested(): AbortSignal {
  const controller = new AbortController();
  process.on("SIGTERM", () => controller.abort());
  process.on("SIGINT", () => controller.abort());
  return controller.signal;
}
