import { Person } from '../../support/organization.js';
import { type Answer, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const READS = 5;
const LOGINS = 2;
const WRITES = 4;

describe('A rate limit', () => {
  let [ada, grace]: [Person, Person] = [] as never;
  const app = withApp({
    RATE_READ: String(READS),
    RATE_LOGIN: String(LOGINS),
    RATE_WRITE: String(WRITES),
    TRUSTED_PROXIES: '127.0.0.1',
  });
  beforeAll(async () => {
    // Seen reads of their own, before any bucket is counted here, come from this machine's address.
    ada = await signUp('ada');
    grace = await signUp('grace');
  });

  let networks = 0;
  /** @returns an address that was not used before */
  const newAddress = (): string => `198.51.${(networks += 1)}.7`;
  const from = (address: string) => ({ 'x-forwarded-for': address });

  /** Everything from its own addresses, so that no bucket is asked twice. */
  async function signUp(name: string): Promise<Person> {
    const account = { email: `${name}@example.com`, password: 'quiet-harbour-42' };
    await app.post('register', { ...account, firstName: name }, { headers: from(newAddress()) });
    const token = await app.mailedToken(account.email);
    await app.post('verify-email', { token }, { headers: from(newAddress()) });
    const { body } = await app.post('login', account, { headers: from(newAddress()) });
    return { token: String(body['accessToken']), ...account } as unknown as Person;
  }

  const read = (address: string, token?: string): Promise<Answer> =>
    app.call('GET', ME, undefined, { headers: from(address), ...(token !== undefined && { token }) });
  const login = (address: string): Promise<Answer> =>
    app.post('login', { email: 'unknown@example.com', password: 'wrong' }, { headers: from(address) });
  const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));

  it('counts reads by identity, whatever address they come from', async () => {
    const answers: Answer[] = [];
    for (let n = 0; n <= READS; n += 1) answers.push(await read(newAddress(), ada.token));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(READS).fill(200), 429]);
    expect(answers.slice(0, READS).map(left)).toEqual([4, 3, 2, 1, 0]);
  });

  it('gives each identity at one address a bucket of its own, and callers without one another', async () => {
    const address = newAddress();
    for (let n = 0; n < READS; n += 1) await read(address, grace.token);
    expect((await read(address, grace.token)).status).toBe(429);
    expect(await read(address)).toMatchObject({ status: 401 });
    const third = await signUp('katherine');
    expect((await read(address, third.token)).status).toBe(200);
  });

  it('counts writes by identity, apart from reads', async () => {
    const person = await signUp('writes');
    const write = (address: string) =>
      app.call('PATCH', ME, { firstName: 'Ada' }, { token: person.token, headers: from(address) });
    const statuses: number[] = [];
    for (let n = 0; n <= WRITES; n += 1) statuses.push((await write(newAddress())).status);
    expect(statuses).toEqual([...Array<number>(WRITES).fill(200), 429]);
    expect(left(await read(newAddress(), person.token))).toBe(READS - 1);
  });

  it('counts a token that does not count by the address', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let n = 0; n <= READS; n += 1)
      statuses.push((await read(address, `${ada.token.slice(0, -9)}AAAAAAAAQ`)).status);
    expect(statuses).toEqual([...Array<number>(READS).fill(401), 429]);
    expect((await read(newAddress(), `${ada.token.slice(0, -9)}AAAAAAAAQ`)).status).toBe(401);
  });

  it.each([
    ['reads', READS, (address: string) => read(address)],
    ['logins', LOGINS, login],
  ] as const)('counts %s of an IPv6 caller by the /64', async (what, limit, ask) => {
    const network = `2001:db8:${what === 'reads' ? 1 : 2}`;
    const addresses = [`${network}:7::1`, `${network}:7:ffff:ffff:ffff:ffff`, `${network}:0007:0:0:0:2`];
    const statuses: number[] = [];
    for (let n = 0; n <= limit; n += 1)
      statuses.push((await ask(addresses[n % addresses.length] ?? '')).status);
    expect(statuses).toEqual([...Array<number>(limit).fill(401), 429]);
    expect((await ask(`${network}:8::1`)).status).toBe(401);
    expect((await ask(`${network}:6:ffff::1`)).status).toBe(401);
  });

  it.each([
    ['reads', READS, (address: string) => read(address)],
    ['logins', LOGINS, login],
  ] as const)(
    'counts %s of an IPv4 caller by the address, also in its mapped form',
    async (_what, limit, ask) => {
      const address = newAddress();
      const statuses: number[] = [];
      for (let n = 0; n <= limit; n += 1)
        statuses.push((await ask(n % 2 === 0 ? address : `::ffff:${address}`)).status);
      expect(statuses).toEqual([...Array<number>(limit).fill(401), 429]);
      expect((await ask(newAddress())).status).toBe(401);
    },
  );
});
