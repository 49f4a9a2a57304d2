/** A request to end the program. */
export type StopRequest = {
  /** Aborted by the first SIGTERM or SIGINT; later ones change nothing. */
  stop: AbortSignal;
  /** Aborted by SIGINT, which a person at a terminal sends: no drain is needed. */
  hurry: AbortSignal;
};

/**
 * The signals that end a server or a worker. From now on nothing else does: a line that cannot be written, because the
 * disk is full or its reader has left, is lost. A command ends then.
 */
export function stopRequested(): StopRequest {
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  const [stop, hurry] = [new AbortController(), new AbortController()];
  process.on("SIGTERM", () => stop.abort());
  process.on("SIGINT", () => {
    hurry.abort();
    stop.abort();
  });
  return { stop: stop.signal, hurry: hurry.signal };
}
