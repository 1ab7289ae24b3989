import { BlockList, isIP } from 'node:net';

/**
 * Networks that outbound requests must not reach, because servers in private networks trust their
 * neighbours: those that the IANA special-purpose registries (RFC 6890) list as not globally
 * reachable, multicast, and those that embed an IPv4 address. Two lists, because an IPv6 rule of a
 * BlockList also matches mapped IPv4 addresses.
 */
const IPV4 = listOf('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private use
  ['100.64.0.0', 10], // shared address space of carriers
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, with the metadata services of clouds
  ['172.16.0.0', 12], // private use
  ['192.0.0.0', 24], // IETF protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays, deprecated
  ['192.168.0.0', 16], // private use
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3], // multicast, reserved and broadcast
]);
const IPV6 = listOf('ipv6', [
  // Everything outside 2000::/3: unspecified, loopback, mapped and translated IPv4, NAT64,
  // discard-only, SRv6, unique local, link-local, multicast.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23], // IETF protocol assignments, including Teredo and benchmarking
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which embeds an IPv4 address
  ['3fff::', 20], // documentation
]);

/**
 * Checks whether outbound requests to an address are forbidden. A mapped IPv4 address counts as
 * that IPv4 address; a text that is not an address is forbidden.
 */
export function isSpecialAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  const version = isIP(plain);
  return version === 4 ? IPV4.check(plain, 'ipv4') : version !== 6 || IPV6.check(plain, 'ipv6');
}

function listOf(family: 'ipv4' | 'ipv6', networks: readonly (readonly [network: string, bits: number])[]) {
  const list = new BlockList();
  for (const [network, bits] of networks) list.addSubnet(network, bits, family);
  return list;
}
