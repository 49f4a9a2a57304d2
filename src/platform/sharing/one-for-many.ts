/**
 * Runs work once for all callers of a name that arrive before it begins. Later callers share the next run, which waits
 * for this one.
 */
export type OneForMany = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createOneForMany(): OneForMany {
  const next = new Map<string, Promise<unknown>>();
  const running = new Map<string, Promise<unknown>>();

  async function doNext<T>(name: string, work: () => Promise<T>): Promise<T> {
    // A failure of that run has been reported to its own callers.
    await running.get(name)?.catch(() => {});
    next.delete(name);
    const done = work();
    running.set(name, done);
    try {
      return await done;
    } finally {
      if (running.get(name) === done) running.delete(name);
    }
  }

  return <T>(name: string, work: () => Promise<T>) => {
    const waiting = (next.get(name) as Promise<T> | undefined) ?? doNext(name, work);
    next.set(name, waiting);
    return waiting;
  };
}
