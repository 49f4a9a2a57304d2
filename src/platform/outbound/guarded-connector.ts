import { Resolver } from "node:dns/promises";
import net, { type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { Network } from "../network.ts";
import { isAllowedAddress } from "./allowed-address.ts";

/** For the name, the connection and TLS together. */
const CONNECT_MS = 5_000;
/** The limit for one query to one name server; each is tried twice. */
const QUESTION_MS = 1_500;
/** The time for one of several addresses before the next is tried in parallel. */
const NEXT_ADDRESS_MS = 1_000;

export type Guard = {
  /** Allowed in addition to public addresses. */
  privateNetworks: readonly Network[];
  /** `address:port`; unset: those of the machine. */
  nameServers?: readonly string[] | undefined;
};

/** No connection was tried: an address is neither public nor of a network that the operator names. */
export class ForbiddenAddress extends Error {
  constructor() {
    super("the address is not allowed");
    this.name = "ForbiddenAddress";
  }
}

export class UnknownName extends Error {
  constructor() {
    super("the name has no address");
    this.name = "UnknownName";
  }
}

/**
 * Opens the connections of an undici Agent, to allowed addresses only (docs/decisions/0028-calls-out.md). The
 * connection uses the addresses that were checked, without a second look-up. A literal address needs no look-up, so it
 * is checked before.
 */
export function guardedConnector({ privateNetworks, nameServers }: Guard): buildConnector.connector {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const lookup: LookupFunction = (name, _options, callback) =>
    void lookUp(name, { resolver, privateNetworks }, callback);
  const connect = buildConnector({
    lookup,
    timeout: CONNECT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    allowH2: false,
  });
  return (options, callback) => {
    if (net.isIP(options.hostname) !== 0 && !isAllowedAddress(options.hostname, privateNetworks)) {
      return callback(new ForbiddenAddress(), null);
    }
    connect(options, callback);
  };
}

async function lookUp(
  name: string,
  { resolver, privateNetworks }: { resolver: Resolver; privateNetworks: readonly Network[] },
  callback: Parameters<LookupFunction>[2],
): Promise<void> {
  const addresses = await addressesOf(name, resolver);
  if (addresses.length === 0) return callback(new UnknownName(), []);
  const areAllowed = addresses.every((address) => isAllowedAddress(address, privateNetworks));
  if (!areAllowed) return callback(new ForbiddenAddress(), []);
  callback(
    null,
    addresses.map((address) => ({ address, family: net.isIP(address) })),
  );
}

/**
 * Not by getaddrinfo, which runs only four look-ups at once in a process: slow names would delay files and passwords.
 */
async function addressesOf(name: string, resolver: Resolver): Promise<string[]> {
  if (/(?:^|\.)localhost\.?$/i.test(name)) return ["127.0.0.1"];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}
