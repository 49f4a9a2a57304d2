import net from "node:net";
import ipaddr from "ipaddr.js";
import { isInNetworks, isIPv6, type Network } from "../network.ts";

/** Contains all public IPv6 addresses; the IPv4-compatible addresses, `::7f00:1`, are outside it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv4-compatible in its dotted form, which ipaddr.js reads as an IPv4 address. */
const COMPATIBLE = /^[0:]*:\d+\./;
/** An IPv4 address in the form of a translating gateway (RFC 6052): it is public if the address inside is. */
const TRANSLATED = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Whether a connection may go to an address, in the notation of sockets and DNS answers: a public one, or one of the
 * networks that the operator names.
 */
export function isAllowedAddress(address: string, privateNetworks: readonly Network[]): boolean {
  if (net.isIP(address) === 0 || COMPATIBLE.test(address)) return false;
  const reached = reachedAddress(ipaddr.process(address));
  return isPublic(reached) || isInNetworks(reached.toString(), privateNetworks);
}

function reachedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!isIPv6(address) || !address.match(TRANSLATED)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === "unicast" && (!isIPv6(address) || address.match(GLOBAL_UNICAST));
}
