import { isSpecialAddress } from '../../src/platform/outbound/special-address.js';

/** Converts an address to a number. */
const toNumber = (address: string): bigint => {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(head), groups(tail ?? '')];
  const fill = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...fill, ...right].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
};
const toIpv4 = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
const toIpv6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, n) => ((value >> BigInt(112 - 16 * n)) & 65_535n).toString(16)).join(':');

/**
 * Returns the first and last address of a network, one inside, and the neighbours on both sides.
 */
function edgesOf(network: string): { readonly inside: string[]; readonly outside: string[] } {
  const [address = '', bits] = network.split('/');
  const [width, toText] = address.includes(':') ? [128n, toIpv6] : [32n, toIpv4];
  const size = 1n << (width - BigInt(bits ?? width));
  const first = toNumber(address);
  const inside = [first, first + size / 2n, first + size - 1n].map(toText);
  const outside = [first - 1n, first + size]
    .filter((value) => value >= 0n && value < 1n << width)
    .map(toText);
  return { inside, outside };
}

/**
 * Both registries of IANA (RFC 6890), as of 2025, but for what they list as globally reachable; and
 * multicast.
 */
const SPECIAL = `
  0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.0.0/29 192.0.0.8/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.88.99.0/24 192.88.99.2/32
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 ::/128
  ::1/128 ::ffff:0:0/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:2::/48 2001:10::/28
  2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8 64:ff9b::/96 ::/96
  ::ffff:0:0:0/96
`
  .trim()
  .split(/\s+/);
/** The outermost of them: their neighbours are ordinary addresses. */
const IPV4_BLOCKS = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
`
  .trim()
  .split(/\s+/);
const IPV6_BLOCKS = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

describe('An address forbidden for outbound requests', () => {
  it.each(SPECIAL)('is each of %s', (network) => {
    for (const address of edgesOf(network).inside)
      expect([address, isSpecialAddress(address)]).toEqual([address, true]);
  });

  it.each([...IPV4_BLOCKS, ...IPV6_BLOCKS])('is none beside %s', (network) => {
    for (const address of edgesOf(network).outside)
      expect([address, isSpecialAddress(address)]).toEqual([address, false]);
  });

  it('is every IPv6 address outside 2000::/3, and none at its edges', () => {
    expect(edgesOf('2000::/3').outside.map(isSpecialAddress)).toEqual([true, true]);
    expect(['2000::', '3ffe:ffff::1'].map(isSpecialAddress)).toEqual([false, false]);
    for (let first = 0; first < 8; first += 1)
      expect([first, isSpecialAddress(`${((first << 13) + 0x123).toString(16)}::1`)]).toEqual([
        first,
        first !== 1,
      ]);
  });

  it.each(IPV4_BLOCKS)('is each of %s inside an IPv6 address, however it is written', (network) => {
    for (const address of edgesOf(network).inside) {
      const hex = toIpv6(toNumber(address)).split(':').slice(-2).join(':');
      for (const written of [
        `::ffff:${address}`,
        `::FFFF:${address}`,
        `0:0:0:0:0:ffff:${address}`,
        `::ffff:${hex}`,
        `::${hex}`,
        `::ffff:0:${hex}`,
        `64:ff9b::${hex}`,
        `64:ff9b:1::${hex}`,
        `2002:${hex}::1`,
      ])
        expect([written, isSpecialAddress(written)]).toEqual([written, true]);
    }
  });

  it.each(['fe80::1%eth0', 'fe80::1%25eth0', '::1%lo', '127.0.0.1%lo'])('is %s, with a zone', (address) => {
    expect(isSpecialAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '0x7f000001', '017700000001', '2130706433', '1.2.3.4.5', ':::', 'x'])(
    'is any text that is no address: %j',
    (text) => {
      expect(isSpecialAddress(text)).toBe(true);
    },
  );

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.0',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2620:4f:8000::1',
    '2a00:1450::1',
    '2001:200::1',
    '2001:4860:4860::8888',
  ])('is not %s', (address) => {
    expect(isSpecialAddress(address)).toBe(false);
  });
});
