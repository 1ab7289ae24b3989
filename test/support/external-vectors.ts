import { gzipSync } from 'node:zlib';
import type { Reply } from '../lab/oauth-stand-in.js';
import type { Trip } from './external-trip.js';

/** Small before decompression. */
const BOMB = gzipSync(Buffer.alloc(20_000_000, ' '));

/** Answers of a failing provider, or of an attacker in its place. */
const TROUBLE: readonly [name: string, reply: Reply, error: string][] = [
  ['500', { status: 500 }, 'provider_unavailable'],
  ['503 and a page', { status: 503, body: '<html>' }, 'provider_unavailable'],
  ['nothing for more than five seconds', { delayMs: 6_500 }, 'provider_unavailable'],
  ['by hanging up', { drop: true }, 'provider_unavailable'],
  ['400', { status: 400, body: { error: 'invalid_grant' } }, 'invalid_response'],
  ['two megabytes', { body: JSON.stringify({ padding: 'x'.repeat(2_000_000) }) }, 'invalid_response'],
  ['what is no JSON', { body: '{"access_token":' }, 'invalid_response'],
  ['a list', { body: [] }, 'invalid_response'],
  ['null', { body: 'null' }, 'invalid_response'],
  ['an empty object', { body: {} }, 'invalid_response'],
];

/** Answers never followed or decompressed; the error code depends on the endpoint. */
const TRAPS: readonly [name: string, reply: Reply][] = [
  ['with a redirect', { status: 302, headers: { location: '/other-path' } }],
  ['with a bomb', { body: BOMB, headers: { 'content-encoding': 'gzip' } }],
];

/** An endpoint that a sign-in calls and that fails. */
export function itSurvivesTroubleAt(path: string, trip: () => Trip): void {
  describe(`when ${path} answers`, () => {
    it.each(TROUBLE)('%s', async (_, reply, error) => {
      trip().lab.replies[path] = reply;
      await trip().expectError(error);
    });

    it.each(TRAPS)('%s', async (_, reply) => {
      trip().lab.replies[path] = reply;
      await trip().expectError(expect.stringMatching(/^(provider_unavailable|invalid_response)$/));
      expect(trip().lab.requests.map((request) => request.path)).not.toContain('/other-path');
    });
  });
}

/** Callbacks that no honest browser sends, whatever the provider. */
export function itRefusesForeignCallbacks(trip: () => Trip, otherKind: string): void {
  describe('refuses, and creates nothing, when the callback has', () => {
    it.each([
      ['a code that was not given', { code: 'foreign' }, 'invalid_response'],
      ['no code', { code: null }, 'invalid_response'],
      ['an empty code', { code: '' }, 'invalid_response'],
      ['the name of another issuer', { iss: 'https://evil.example' }, 'invalid_response'],
      ['the refusal of the person', { code: null, error: 'access_denied' }, 'access_denied'],
      ['a refusal and a code', { error: 'access_denied' }, 'access_denied'],
      ['an error', { code: null, error: 'server_error', error_description: '<b>' }, 'invalid_response'],
    ])('%s', async (_, changes, error) => {
      await trip().expectError(error, () => trip().signIn(changes));
    });

    it('a code that was given for another flow', async () => {
      const [mine, theirs] = await Promise.all([trip().start(), trip().start()]);
      const { state = '' } = trip().lab.consent(mine.href);
      const { code = '' } = trip().lab.consent(theirs.href);
      await trip().expectError('invalid_response', () =>
        trip().send([
          ['code', code],
          ['state', state],
        ]),
      );
    });

    it('come before, with its code and with a fresh one', async () => {
      const { href } = await trip().start();
      const back = Object.entries(trip().lab.consent(href));
      expect((await trip().send(back)).fragment).toHaveProperty('access_token');
      await trip().expectError('invalid_response', () => trip().send(back));
      await trip().expectNowhere(() => trip().send(Object.entries(trip().lab.consent(href))));
    });

    it.each([
      ['no state', null],
      ['an empty state', ''],
      ['a forged state', `${Buffer.from('{"expiresAt":9999999999}').toString('base64url')}.AAAA`],
    ])('%s', async (_, state) => {
      await trip().expectNowhere(() => trip().signIn({ state }));
    });

    it('the state of another kind', async () => {
      const state = (await trip().start(otherKind)).searchParams.get('state');
      await trip().expectNowhere(() => trip().signIn({ state }));
    });

    const twice = async (name: string): Promise<[string, string][]> => {
      const back = trip().lab.consent((await trip().start()).href);
      return [...Object.entries(back), [name, back[name] ?? '1'], [name, '2']];
    };
    it.each(['code', 'error'])('%s twice', async (name) => {
      const doubled = await twice(name);
      await trip().expectError('invalid_response', () => trip().send(doubled));
    });

    it('its state twice', async () => {
      const doubled = await twice('state');
      await trip().expectNowhere(() => trip().send(doubled));
    });
  });
}

/** A kind without settings does not exist. */
export async function expectAbsent({ visitor, kind }: Trip): Promise<void> {
  expect((await visitor.start()).status).toBe(404);
  const callback = `/api/iam/auth/external/${kind}/callback`;
  expect((await visitor.open(`${callback}?code=1&state=1`)).status).toBe(404);
  expect((await visitor.post({ code: '1', state: '1' })).status).toBe(404);
}
