import net from "node:net";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a server: measures the longest processor time that its main thread used between two turns of the event
 * loop, in milliseconds. A connection to the port gets the number, and begins a new measurement.
 */
const port = Number(process.env.LIAISON_TEST_STRETCH_PORT ?? 0);

if (isMainThread && port > 0) {
  let [longest, last] = [0, processorMs()];
  const look = (): void => {
    const time = processorMs();
    longest = Math.max(longest, time - last);
    last = time;
  };
  setInterval(look, 1).unref();
  const server = net.createServer((socket) => {
    look();
    socket.on("error", () => {}).end(String(longest));
    longest = 0;
  });
  server.listen(port, "127.0.0.1").unref();
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
