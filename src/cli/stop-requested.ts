/** A request to end the program. */
export type StopRequest = {
  /** Aborted by the first SIGTERM or SIGINT; later ones change nothing. */
  stop: AbortSignal;
  /** Aborted by SIGINT, which a person at a terminal sends: no drain is needed. */
  hurry: AbortSignal;
};

export function stopRequested(): StopRequest {
  const [stop, hurry] = [new AbortController(), new AbortController()];
  process.on("SIGTERM", () => stop.abort());
  process.on("SIGINT", () => {
    hurry.abort();
    stop.abort();
  });
  return { stop: stop.signal, hurry: hurry.signal };
}
