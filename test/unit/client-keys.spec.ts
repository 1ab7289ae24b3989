import { ClientKeys } from '../../src/machine/clients/client-keys.js';
import type { CustomerHttp } from '../../src/platform/outbound/index.js';

const URL = 'https://ci.example.com/jwks.json';
const START = Date.UTC(2026, 10, 27);
const SECOND = 1_000;

describe('The keys of clients', () => {
  let now: number;
  let requests: number;
  /** Key ids that the set has; null if it cannot be read. */
  let published: string[] | null;
  let keys: ClientKeys;
  beforeEach(() => {
    now = START;
    requests = 0;
    published = ['one'];
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    const http = {
      shared: (work: () => Promise<unknown>) => work(),
      together: (work: () => Promise<unknown>) => work(),
      fetch: () => {
        requests += 1;
        const body = published && { keys: published.map((kid) => ({ kid })) };
        return Promise.resolve({ ok: body !== null, status: 503, json: () => Promise.resolve(body) });
      },
    };
    keys = new ClientKeys(http as unknown as CustomerHttp);
  });
  afterEach(() => jest.restoreAllMocks());

  const idsOf = async (again = false) => (await keys.find(URL, again)).keys.map(({ kid }) => kid);

  it('are read once in five minutes', async () => {
    expect(await Promise.all([idsOf(), idsOf()])).toEqual([['one'], ['one']]);
    now += 299 * SECOND;
    expect([await idsOf(), requests]).toEqual([['one'], 1]);
    published = ['two'];
    now += 2 * SECOND;
    expect([await idsOf(), requests]).toEqual([['two'], 2]);
  });

  it('are read again for an unknown key, once in half a minute', async () => {
    await idsOf();
    published = ['two'];
    now += 29 * SECOND;
    expect([await idsOf(true), requests]).toEqual([['one'], 1]);
    now += 2 * SECOND;
    expect([await idsOf(true), requests]).toEqual([['two'], 2]);
    expect([await idsOf(), requests]).toEqual([['two'], 2]);
    now += 290 * SECOND;
    expect([await idsOf(), requests]).toEqual([['two'], 2]);
  });

  it('are asked for half a minute after they could not be read', async () => {
    published = null;
    await expect(idsOf()).rejects.toThrow('503');
    published = ['one'];
    now += 29 * SECOND;
    await expect(idsOf()).rejects.toThrow('503');
    expect(requests).toBe(1);
    now += 2 * SECOND;
    expect([await idsOf(), requests]).toEqual([['one'], 2]);
  });

  // Anyone can send a token with an unknown key.
  it('stay for their five minutes if they cannot be read again', async () => {
    await idsOf();
    published = null;
    now += 31 * SECOND;
    await expect(idsOf(true)).rejects.toThrow('503');
    expect([await idsOf(), requests]).toEqual([['one'], 2]);
    now += 270 * SECOND;
    await expect(idsOf()).rejects.toThrow('503');
  });
});
