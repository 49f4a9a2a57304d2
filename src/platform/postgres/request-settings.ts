/** A write that waits for a row's lock holds up all behind it on its lane: soon it goes to wait on a connection of its own. */
const LANE_LOCK_TIMEOUT_MS = 25;

/** The settings of every connection of requests; on a cluster also of the nodes' connections to each other, for their sake. */
export const requestSettings: Readonly<Record<string, string>> = {
  timezone: "UTC",
  datestyle: "ISO",
  jit: "off",
  // Every statement looks up few rows by index. A generic plan that knows no tenant's size would rather hash a large
  // one's companies whole (measured: a search of 3 ms took 123 ms from its sixth execution on), and one that was made
  // while a table was all but empty would go on reading the whole of it.
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  enable_seqscan: "off",
  // One tenant's search takes one processor, and leaves the others to everybody else.
  max_parallel_workers_per_gather: "0",
  lock_timeout: String(LANE_LOCK_TIMEOUT_MS),
};
