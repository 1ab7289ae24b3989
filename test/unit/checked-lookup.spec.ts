/** @service separate */
import type { LookupAddress } from 'node:dns';
import type { Settings } from '../../src/platform/config/index.js';
import { Tracing } from '../../src/platform/observability/tracing.js';
import { lookupChecked } from '../../src/platform/outbound/checked-lookup.js';
import { CustomerHttp } from '../../src/platform/outbound/customer-http.js';

const PUBLIC = { address: '198.41.0.4', family: 4 };
const ALSO_PUBLIC = { address: '2001:500:2::c', family: 6 };
const PRIVATE = { address: '10.0.0.1', family: 4 };

let answer: readonly [Error | null, LookupAddress[]];
jest.mock('node:dns', () => ({
  lookup: (_host: string, _options: object, done: (...answer: unknown[]) => void) => done(...answer),
}));

describe('A name that is resolved for a connection', () => {
  const resolve = (options: { all?: boolean } = {}) => {
    const done = jest.fn();
    lookupChecked('idp.example', options, (host) => host === 'trusted.example', done);
    return done.mock.calls[0] as unknown[];
  };

  it.each([[[PRIVATE]], [[PUBLIC, PRIVATE]], [[PRIVATE, PUBLIC]]])('is refused with %j', (addresses) => {
    answer = [null, addresses];
    expect(resolve({ all: true })).toEqual([expect.objectContaining({ code: 'EPRIVATE' }), []]);
  });

  it('gives one address, or all where they are asked for', () => {
    answer = [null, [PUBLIC, ALSO_PUBLIC]];
    expect(resolve()).toEqual([null, PUBLIC.address, 4]);
    expect(resolve({ all: true })).toEqual([null, [PUBLIC, ALSO_PUBLIC]]);
  });

  it('gives the error of the lookup', () => {
    const error = new Error('no such host');
    answer = [error, []];
    expect(resolve()).toEqual([error, []]);
  });
});

describe('A URL that a customer names', () => {
  const trusted = ['idp.internal', '10.0.0.5', 'fd00::1'];
  const http = new CustomerHttp(new Tracing(), { CONNECTION_TRUSTED_HOSTS: trusted } as unknown as Settings);

  it.each([
    ['x', 'must be a URL'],
    ['http://idp.example/', 'must be https'],
    ['ftp://idp.internal/', 'must be https'],
    ['https://user@idp.example/', 'must have no user or password'],
    ['https://:password@idp.example/', 'must have no user or password'],
    ['https://idp.example/#x', 'must have no fragment'],
    ['https://10.0.0.1/', 'must be a public address'],
    ['https://[fd00::2]/', 'must be a public address'],
    ['https://idp.example/', null],
    ['https://198.41.0.4/', null],
    ['https://10.0.0.5/', null],
    ['http://idp.internal/', null],
    ['https://[fd00::1]/', null],
  ])('%s: %s', (url, fault) => {
    expect(http.findFault(url)).toBe(fault);
  });

  it.each(['http://idp.example/keys', 'ftp://idp.example/keys', 'https://10.0.0.1/keys'])(
    'is not fetched from %s',
    async (url) => {
      await expect(http.fetch(url)).rejects.toMatchObject({ code: 'EPRIVATE' });
    },
  );
});
