import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNetworks } from "../../../src/platform/network.ts";
import { isAllowedAddress } from "../../../src/platform/outbound/allowed-address.ts";
import { fc } from "../../properties.ts";

const PUBLIC = ["1.1.1.1", "93.184.215.14", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a02:2f00::1"];

const NOT_PUBLIC = [
  ["0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1"],
  ["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1"],
  ["198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1"],
  [
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::127.0.0.1",
    "::1.1.1.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:0:7f00:1",
  ],
  ["::ffff:10.1.2.3", "::ffff:169.254.169.254", "64:ff9b::127.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1"],
  ["2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "3fff::1"],
  ["4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%1", "fec0::1", "ff02::1"],
].flat();

test("public addresses may be called, however they reach us", () => {
  for (const address of PUBLIC) assert.ok(isAllowedAddress(address, []), address);
  assert.ok(isAllowedAddress("::ffff:1.1.1.1", []));
  assert.ok(isAllowedAddress("64:ff9b::1.1.1.1", []), "through a gateway to IPv4");
});

test("loopback, private, link-local, shared, reserved and multicast ones may not, in any disguise", () => {
  for (const address of NOT_PUBLIC) assert.ok(!isAllowedAddress(address, []), address);
});

test("an IPv4 address is judged alike inside IPv6, mapped or translated", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const isAllowed = isAllowedAddress(address, []);
      assert.equal(isAllowedAddress(`::ffff:${address}`, []), isAllowed);
      assert.equal(isAllowedAddress(`64:ff9b::${address}`, []), isAllowed);
      assert.ok(!isAllowedAddress(`::${address}`, []), "IPv4-compatible");
    }),
  );
});

test("the operator's networks are allowed, and no others with them", () => {
  const networks = parseNetworks("127.0.0.1,10.20.0.0/16,fd12::/32");
  for (const address of ["127.0.0.1", "::ffff:127.0.0.1", "10.20.3.4", "64:ff9b::10.20.3.4", "fd12:0:1::1"]) {
    assert.ok(isAllowedAddress(address, networks), address);
  }
  for (const address of [
    "127.0.0.2",
    "::127.0.0.1",
    "0:0::127.0.0.1",
    "0:0:0:0:0:0:127.0.0.1",
    "10.21.0.1",
    "fd13::1",
    "::1",
  ]) {
    assert.ok(!isAllowedAddress(address, networks), address);
  }
});

test("what is no address is not allowed, whatever the networks", () => {
  const everything = parseNetworks("0.0.0.0/0,::/0");
  for (const text of ["", "localhost", "127.1", "0x7f.0.0.1", "2130706433", "1.2.3.4.5", "[::1]"]) {
    assert.ok(!isAllowedAddress(text, everything), text);
  }
});
