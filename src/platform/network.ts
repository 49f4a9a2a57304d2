import ipaddr from "ipaddr.js";

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Reads comma-separated CIDRs; a bare address is a single one. Throws with a message fit for an operator. */
export function parseNetworks(text: string): Network[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(parseNetwork);
}

function parseNetwork(text: string): Network {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const parsed = parseAddress(address, false);
  const width = parsed?.kind() === "ipv4" ? 32 : 128;
  if (parsed === null || Number(bits ?? 0) > width) {
    throw new Error(`"${text}" is not an IPv4 or IPv6 network, such as 10.0.0.0/8 or 2001:db8::/32`);
  }
  if (isIPv6(parsed) && parsed.isIPv4MappedAddress() && Number(bits ?? 128) >= 96) {
    return [parsed.toIPv4Address(), Number(bits ?? 128) - 96];
  }
  return [parsed, Number(bits ?? width)];
}

export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0) return false;
  const parsed = parseAddress(address, true);
  return (
    parsed !== null &&
    networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits))
  );
}

/**
 * The caller's address: the socket's, unless the socket is a trusted proxy's; then the rightmost entry of
 * X-Forwarded-For that is not a trusted proxy itself (docs/contract.md 2.5). IPv4-mapped IPv6 addresses are IPv4.
 */
export function callerAddress(socket: string, forwardedFor: string | undefined, trusted: readonly Network[]): string {
  let address = canonical(socket);
  if (trusted.length === 0 || forwardedFor === undefined) return address;
  const hops = forwardedFor.split(",").map((hop) => withoutPort(hop.trim()));
  while (isInNetworks(address, trusted)) {
    const hop = hops.pop();
    // An invalid hop was not written by a trusted proxy: stop at the last one that was.
    if (hop === undefined || parseAddress(hop, true) === null) break;
    address = canonical(hop);
  }
  return address;
}

/** The network of an address, in a size that one guesser probably controls completely: a /24, or a /64 in IPv6. */
export function networkOf(address: string): string {
  const parsed = parseAddress(address, true);
  if (parsed === null) return address;
  const bytes = parsed.toByteArray();
  const kept = bytes.length === 4 ? 3 : 8;
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < kept ? byte : 0))).toString();
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}

function canonical(address: string): string {
  return parseAddress(address, true)?.toString() ?? address;
}

/** Whether an address is of IPv6. */
export function isIPv6(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === "ipv6";
}

function parseAddress(text: string, unmap: boolean): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // Only the four-part form: ipaddr.js would also read "10" or "0x7f.1".
  if (!text.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(text)) return null;
  if (!ipaddr.isValid(text)) return null;
  return unmap ? ipaddr.process(text) : ipaddr.parse(text);
}
