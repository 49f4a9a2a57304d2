import assert from "node:assert/strict";
import { test } from "node:test";
import { callerAddress, isInNetworks, networkOf, parseNetworks } from "../../src/platform/network.ts";
import { fc } from "../properties.ts";

test("a network holds the addresses that share its leading bits", () => {
  const bits32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const dotted = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
  fc.assert(
    fc.property(bits32, bits32, fc.integer({ min: 0, max: 32 }), (network, address, bits) => {
      const shares = bits === 0 || network >>> (32 - bits) === address >>> (32 - bits);
      const networks = parseNetworks(`${dotted(network)}/${bits}`);
      assert.equal(isInNetworks(dotted(address), networks), shares);
      assert.equal(isInNetworks(`::ffff:${dotted(address)}`, networks), shares);
      assert.ok(isInNetworks(dotted(network), networks));
      assert.ok(!isInNetworks("2001:db8::1", networks));
    }),
  );
});

test("a network of IPv4 addresses that are written as IPv6 is theirs, from all of them to one", () => {
  for (const [network, address, isIn] of [
    ["::ffff:0.0.0.0/96", "192.0.2.1", true],
    ["::ffff:10.0.0.0/104", "10.255.0.1", true],
    ["::ffff:10.0.0.0/104", "11.0.0.1", false],
    ["::ffff:10.0.0.1", "10.0.0.1", true],
    ["::ffff:10.0.0.1", "10.0.0.2", false],
  ] as const) {
    assert.equal(isInNetworks(address, parseNetworks(network)), isIn, `${address} in ${network}`);
  }
});

test("networks are parsed as comma-separated CIDRs, and any other text is refused and named", () => {
  assert.equal(parseNetworks(" 10.0.0.0/8 ,2001:db8::/32,, 192.0.2.1 ").length, 3);
  assert.deepEqual(parseNetworks(""), []);
  for (const wrong of [
    "10",
    "10.0.0",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "::/129",
    "a",
    "0x7f.0.0.1",
    "1.2.3.4.5",
  ]) {
    assert.throws(() => parseNetworks(`192.0.2.1,${wrong}`), /is not an IPv4 or IPv6 network/, wrong);
  }
  for (const wrong of ["", "garbage", "10.0.0.256", "10.0.0.1:80", "127.1"]) {
    assert.ok(!isInNetworks(wrong, parseNetworks("0.0.0.0/0,::/0")), wrong);
  }
});

test("whatever X-Forwarded-For says, an untrusted socket is the caller", () => {
  const trusted = parseNetworks("10.0.0.0/8");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (header) => {
      assert.equal(callerAddress("192.0.2.1", header, trusted), "192.0.2.1");
      assert.equal(callerAddress("10.0.0.1", header, []), "10.0.0.1");
    }),
  );
});

test("behind trusted proxies the caller is the rightmost entry that is no proxy", () => {
  const trusted = parseNetworks("10.0.0.0/8,2001:db8::/32");
  const client = fc.ipV4().filter((address) => !address.startsWith("10."));
  const proxy = fc.constantFrom("10.0.0.1", "10.9.9.9", "::ffff:10.1.1.1", "2001:db8::7");
  fc.assert(
    fc.property(fc.string(), client, fc.array(proxy), proxy, (forged, client, proxies, socket) => {
      const header = [forged, client, ...proxies].join(" , ");
      assert.equal(callerAddress(socket, header, trusted), client);
    }),
  );
  assert.equal(callerAddress("10.0.0.1", "192.0.2.1:4711, 10.0.0.3:80", trusted), "192.0.2.1");
  assert.equal(callerAddress("10.0.0.1", "[2001:db9::1]:4711, [2001:db8::7]", trusted), "2001:db9::1");
  assert.equal(callerAddress("::ffff:10.0.0.1", "192.0.2.1, garbage", trusted), "10.0.0.1");
  assert.equal(callerAddress("10.0.0.1", "10.0.0.2", trusted), "10.0.0.2");
  assert.equal(callerAddress("10.0.0.1", undefined, trusted), "10.0.0.1");
});

test("the network that a guesser probably controls is a /24, or a /64 in IPv6", () => {
  for (const address of ["192.0.2.0", "192.0.2.255", "::ffff:192.0.2.77"]) {
    assert.equal(networkOf(address), "192.0.2.0", address);
  }
  for (const address of ["2001:db8:1:ff::", "2001:db8:1:ff:ffff:ffff:ffff:ffff"]) {
    assert.equal(networkOf(address), "2001:db8:1:ff::", address);
  }
  assert.notEqual(networkOf("192.0.3.0"), networkOf("192.0.2.0"));
  assert.notEqual(networkOf("2001:db8:1:fe::"), networkOf("2001:db8:1:ff::"));
  assert.equal(networkOf("garbage"), "garbage");
});
