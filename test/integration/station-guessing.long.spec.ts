import { randomInt } from 'node:crypto';
import { PinHasher } from '../../src/frontline/workers/pin-hasher.js';
import type { UserId } from '../../src/kernel/index.js';
import { Organization } from '../support/organization.js';
import { openStations, Station } from '../support/station.js';
import { withApp } from '../support/test-app.js';

/**
 * The sum of guessing in docs/frontline.md has 10⁶ PINs, of which a simulation would find none:
 * here people choose among so few that successes can be counted. All limits are as they are.
 */
const SPACE = 50;
const TRIES_OF_PERSON = 10;
const TRIES_OF_STATION = 30;
const TRIES_OF_ORGANIZATION = 100;
const AT_ONCE = 20;
const PEOPLE = 40;
/** Standard deviations by which a fair run may be off: fewer than one of a million is. */
const DEVIATIONS = 5;
const MINUTES = 10 * 60_000;

describe('A guesser of PINs at stations', () => {
  let compared: jest.SpyInstance;
  const app = withApp({ TRUSTED_PROXIES: '127.0.0.1/32' });
  beforeAll(async () => {
    compared = jest.spyOn(app.app.get(PinHasher, { strict: false }), 'verify');
  });
  beforeEach(() => compared.mockClear());

  const pins = Array.from({ length: SPACE }, (_, n) => String(402_917 + 7_919 * n));
  const anyPin = () => pins[randomInt(SPACE)]!;

  /** Opens an organization with stations and people, who choose their PINs by chance. */
  async function open(stations: number): Promise<Target> {
    const organization = await Organization.found(app);
    await openStations(organization);
    const devices = await Promise.all(Array.from({ length: stations }, () => Station.of(organization)));
    const hasher = app.app.get(PinHasher, { strict: false });
    const numbers = Array.from({ length: PEOPLE }, (_, n) => `N-${n}`);
    for (const number of numbers) {
      const given = { number, firstName: 'Grace', roles: ['member'] };
      const { body } = await organization.call('POST', '/workers', given);
      const hash = await hasher.hash(String(body['userId']) as UserId, anyPin(), 'test');
      await app.sql('UPDATE workers SET pin_hash = $1 WHERE user_id = $2', [hash, body['userId']]);
    }
    return { organization, devices, numbers };
  }

  /** Guesses until nothing is compared any more. @returns PINs that were compared, and found */
  async function guess(
    { organization, devices, numbers }: Target,
    networks: number,
  ): Promise<{ readonly tries: number; readonly found: number }> {
    const left = new Map(numbers.map((number) => [number, pins.toSorted(() => randomInt(3) - 1)]));
    const before = comparisons();
    let found = 0;
    let last = -1;
    while (comparisons() > last) {
      last = comparisons();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => {
          const number = numbers[randomInt(numbers.length)]!;
          const pin = left.get(number)?.pop();
          if (pin === undefined) return 0;
          const station = devices[n % devices.length]!;
          const network = `198.51.${randomInt(networks) >> 8}.${randomInt(networks) & 255}`;
          const proof = await station.prove({ path: station.signInPath });
          const headers = { 'station-proof': proof, 'x-forwarded-for': network };
          const { status } = await app.call('POST', station.signInPath, { number, pin }, { headers });
          if (status === 200) left.delete(number);
          return status;
        }),
      );
      found += answers.filter((status) => status === 200).length;
    }
    const locked = await app.sql<{ failures: number }>(
      'SELECT max(pin_failures) AS failures FROM workers WHERE tenant_id = $1',
      [organization.id],
    );
    expect(locked[0]!.failures).toBeLessThanOrEqual(TRIES_OF_PERSON);
    return { tries: comparisons() - before, found };
  }

  /** PINs that the service has compared with the one of a person. */
  const comparisons = (): number => compared.mock.calls.filter(([, , stored]) => stored !== null).length;

  /** Compares what was found with the sum of the document: one of as many as there are PINs. */
  function expectFair(found: number, tries: number): void {
    const expected = tries / SPACE;
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(DEVIATIONS * Math.sqrt(expected) + 1);
  }

  it.each([
    ['one network', 1],
    ['a thousand networks', 1_000],
  ])(
    'has 30 tries at a station, and 100 in an organization, from %s',
    async (_, networks) => {
      const one = await guess(await open(1), networks);
      expect(one.tries - one.found).toBeLessThanOrEqual(TRIES_OF_STATION);
      expect(one.tries).toBeGreaterThan(TRIES_OF_STATION / 2);
      const five = await guess(await open(5), networks);
      expect(five.tries - five.found).toBeLessThanOrEqual(TRIES_OF_ORGANIZATION + AT_ONCE);
      expectFair(one.found + five.found, one.tries + five.tries);
    },
    MINUTES,
  );

  it(
    'has no more in each of many organizations, for each of which a station is needed',
    async () => {
      const all: { readonly tries: number; readonly found: number }[] = [];
      for (let n = 0; n < 8; n += 1) all.push(await guess(await open(1), 1_000));
      for (const { tries, found } of all) expect(tries - found).toBeLessThanOrEqual(TRIES_OF_STATION);
      const [tries, found] = (['tries', 'found'] as const).map((what) =>
        all.reduce((sum, one) => sum + one[what], 0),
      );
      expectFair(found!, tries!);
    },
    MINUTES,
  );

  it(
    'has ten tries of a person, however many stations and networks',
    async () => {
      const target = await open(5);
      const number = target.numbers[0]!;
      // The person has no PIN that the guesser tries: nothing but the limit ends the tries.
      await app.sql("UPDATE workers SET pin_hash = 'p1$00000000$' WHERE number = $1 AND tenant_id = $2", [
        number,
        target.organization.id,
      ]);
      const { tries, found } = await guess({ ...target, numbers: [number] }, 1_000);
      expect({ tries, found }).toEqual({ tries: TRIES_OF_PERSON, found: 0 });
    },
    MINUTES,
  );
});

interface Target {
  readonly organization: Organization;
  readonly devices: readonly Station[];
  readonly numbers: readonly string[];
}
