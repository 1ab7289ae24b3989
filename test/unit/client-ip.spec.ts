import type { IncomingMessage } from 'node:http';
import { ClientIpResolver, networkOf, siteOf } from '../../src/platform/web/client/client-ip.js';

const request = (peer: string, forwarded?: string | string[]): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('Client address', () => {
  const resolver = new ClientIpResolver(['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48']);

  it.each([
    ['no proxy between', '203.0.113.7', undefined, '203.0.113.7'],
    ['a header from an untrusted client', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a trusted proxy', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['a forged first entry', '10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['two trusted proxies', '10.1.2.3', '198.51.100.1, 192.0.2.1', '198.51.100.1'],
    ['two headers', '10.1.2.3', ['1.1.1.1', '198.51.100.1'], '198.51.100.1'],
    ['nonsense', '10.1.2.3', 'a', '10.1.2.3'],
    ['an empty header', '10.1.2.3', '', '10.1.2.3'],
    ['a thousand entries', '10.1.2.3', `${'1.1.1.1, '.repeat(1_000)}198.51.100.1`, '198.51.100.1'],
    ['an IPv4-mapped peer', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['a zone', '10.1.2.3', 'fe80::1%eth0', 'fe80::1'],
    ['an IPv6 proxy', '2001:db8:ffff::1', '2001:db8::5', '2001:db8::5'],
  ])('is resolved with %s', (_name, peer, forwarded, expected) => {
    expect(resolver.resolve(request(peer, forwarded))).toBe(expected);
  });

  it('counts an IPv6 caller by its /64', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64');
    expect(networkOf('2001:0db8::1')).toBe('2001:db8:0:0::/64');
    expect(networkOf('::1')).toBe('0:0:0:0::/64');
    expect(networkOf('::2:3:4:5:6:7.8.9.10')).toBe('0:2:3:4::/64');
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
  });

  it('assigns a /64 to its /48, and an IPv4 address to itself', () => {
    expect(siteOf(networkOf('2001:db8:1:2::9'))).toBe('2001:db8:1::/48');
    expect(siteOf(networkOf('2001:db8:1:3::9'))).toBe('2001:db8:1::/48');
    expect(siteOf(networkOf('2001:db8:2:2::9'))).toBe('2001:db8:2::/48');
    expect(siteOf(networkOf('203.0.113.7'))).toBe('203.0.113.7');
  });
});
