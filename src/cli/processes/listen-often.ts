import { once } from "node:events";
import net, { type AddressInfo, type ListenOptions } from "node:net";
import type { FastifyInstance, FastifyListenOptions } from "fastify";
import type { Config } from "../../kit/config.ts";
import type { PassedConnections } from "./accept-connections.ts";

/** Only there do several sockets of a port share its connections. */
const reusePort = process.platform === "linux";
/**
 * Node accepts one connection of each listening socket in a turn of the event loop. With one socket, a thousand
 * newcomers wait for a thousand turns, of which each is long under load, and the kernel drops those that come then.
 */
const SOCKETS = reusePort ? 16 : 1;

/** Listens on one port by several sockets. Fails as net.Server does, also if a program like this has the port. */
export async function listenOften(
  server: FastifyInstance,
  { host, port }: Pick<Config, "host" | "port">,
): Promise<PassedConnections> {
  const others: net.Server[] = [];
  server.addHook("preClose", async () => others.forEach((other) => other.close()));
  // Before the trial, which is worth nothing once another program had time to take the port.
  await server.ready();
  await tryPort({ host, port });
  // In a constant, since Fastify's types do not know the last one.
  const options: FastifyListenOptions & ListenOptions = { host, port, reusePort };
  await server.listen(options);
  const own = server.server.address() as AddressInfo;
  for (let opened = 1; opened < SOCKETS; opened++) {
    // As Node opens the connections of an HTTP server.
    const other = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.server.emit("connection", socket),
    );
    other.listen({ host: own.address, port: own.port, reusePort });
    await once(other, "listening");
    others.push(other);
  }
  const ended = Promise.all(others.map(async (other) => await new Promise((resolve) => other.once("close", resolve))));
  return { ended: async () => void (await ended) };
}

/**
 * Fails as the server's own port would. It is called before the database is made or changed; and again before sockets
 * share the port, which then tell nobody that it is in use.
 */
export async function tryPort({ host, port }: Pick<Config, "host" | "port">): Promise<void> {
  if (port === 0) return;
  const trial = net.createServer().listen({ host, port });
  await once(trial, "listening");
  trial.close();
  await once(trial, "close");
}
