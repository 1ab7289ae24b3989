import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { DomainLookup } from '../../src/connection/domains/domain-lookup.js';
import { DnsServer } from '../support/dns-server.js';
import { describeWith } from '../support/tools.js';

const TOKEN = 'a1b2c3';
const txt = (domain: string, ...parts: string[]) => `txt-record=_gatehouse.${domain},${parts.join(',')}`;
const proof = `gatehouse-verification=${TOKEN}`;

describeWith(['dnsmasq'], 'The lookup of a domain', () => {
  let server: DnsServer;
  let other: DnsServer;
  let lookup: DomainLookup;
  beforeAll(async () => {
    server = await DnsServer.start([
      txt('right.example', proof),
      txt('two.example', 'v=spf1 -all'),
      txt('two.example', proof),
      txt('parts.example', 'gatehouse-', `verification=${TOKEN}`),
      txt('wrong.example', 'gatehouse-verification=z9'),
      txt('odd.example', 'a\u0007b\u00e9'),
      txt('prefix.example', `${proof}x`),
      ...Array.from({ length: 60 }, (_, n) =>
        txt('large.example', ...Array.from({ length: 4 }, () => `${n}-${'x'.repeat(240)}`)),
      ),
      'cname=_gatehouse.other.example,_gatehouse.right.example',
    ]);
    other = await DnsServer.start([txt('wrong.example', proof)]);
    lookup = lookupBy(server.address);
  });
  afterAll(async () => {
    await server.stop();
    await other.stop();
  });

  const lookupBy = (...servers: string[]) => new DomainLookup({ DNS_SERVERS: servers });
  const check = (domain: string) => lookup.check({ domain, token: TOKEN });

  it.each(['right.example', 'two.example', 'parts.example'])('finds the record of %s', async (domain) => {
    expect((await check(domain)).verdict).toBe('found');
  });

  it('reports other records, short and printable', async () => {
    expect(await check('wrong.example')).toEqual({
      verdict: 'missing',
      others: ['gatehouse-verification=z9'],
    });
    const { verdict, others } = await check('odd.example');
    expect([verdict, others[0]]).toEqual(['missing', expect.stringMatching(/^[ -~]+$/)]);
  });

  it('misses a record that is absent, or begins with the value', async () => {
    expect(await check('absent.example')).toEqual({ verdict: 'missing', others: [] });
    expect((await check('prefix.example')).verdict).toBe('missing');
  });

  it('bounds what it reports of a large answer', async () => {
    const { verdict, others } = await check('large.example');
    expect(verdict).not.toBe('found');
    expect(others.length).toBeLessThanOrEqual(5);
    expect(others.every((text) => text.length <= 100)).toBe(true);
  });

  it('finds nothing in a loop of aliases', async () => {
    const looping = createSocket('udp4').bind(0, '127.0.0.1');
    await once(looping, 'listening');
    looping.on('message', (query, { port, address }) => looping.send(aliasOfItself(query), port, address));
    const { verdict } = await lookupBy(`127.0.0.1:${looping.address().port}`).check({
      domain: 'loop.example',
      token: TOKEN,
    });
    expect(verdict).not.toBe('found');
    looping.close();
  });

  it('follows an alias to the record', async () => {
    expect((await check('other.example')).verdict).toBe('found');
  });

  it('requires that both resolvers have the record', async () => {
    const both = lookupBy(server.address, other.address);
    expect((await both.check({ domain: 'wrong.example', token: TOKEN })).verdict).toBe('missing');
    const agreeing = lookupBy(server.address, server.address);
    expect((await agreeing.check({ domain: 'right.example', token: TOKEN })).verdict).toBe('found');
  });

  it('proves nothing by a resolver that does not answer', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const mixed = lookupBy(server.address, `127.0.0.1:${silent.address().port}`);
    for (const domain of ['right.example', 'absent.example'])
      expect((await mixed.check({ domain, token: TOKEN })).verdict).toBe('unknown');
    silent.close();
  });
});

describeWith(['dnsmasq'], 'A DNS server of the tests', () => {
  it('starts at the next port where another process has the first', async () => {
    const first = await DnsServer.start([]);
    const [, port = ''] = first.address.split(':');
    const second = await DnsServer.start([], [Number(port), Number(port) + 1]);
    expect(second.address).toBe(`127.0.0.1:${Number(port) + 1}`);
    await second.stop();
    await expect(DnsServer.start([], [Number(port)])).rejects.toThrow('Address already in use');
    await first.stop();
  });
});

/** Answers a query by a CNAME record of the queried name to itself (RFC 1035 section 4). */
function aliasOfItself(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt32BE(0x0001_0001, 4);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from('c00c00050001000000000002c00c', 'hex');
  return Buffer.concat([header, query.subarray(12, end), record]);
}
