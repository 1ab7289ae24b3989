import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, TestApp, withApp } from '../../support/test-app.js';

const SESSION = '/api/v1/iam/auth/portal/session';
const OWN = { 'sec-fetch-site': 'same-origin' };

describe('The sign-in of a browser at the portal', () => {
  let ada: Person;
  const app = withApp({ PUBLIC_URL: 'https://id.example.com' });
  beforeAll(async () => {
    ada = await Person.signUp(app);
  });

  const ask = (body: object, cookie = '', headers: Record<string, string> = OWN) =>
    app.call('POST', SESSION, body, { headers: { ...headers, cookie } });
  const cookiesOf = ({ headers }: Answer): Map<string, string> =>
    new Map(headers.getSetCookie().map((line) => [line.split('=')[0] ?? '', line]));
  /** Cookies that the browser sends from then on. */
  const sent = (answer: Answer): string =>
    answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  const adopted = async (person = ada): Promise<Answer> =>
    ask({ refreshToken: (await app.login(person)).refreshToken });

  it('is stored in a cookie that scripts cannot read and other hosts cannot set, with the session id', async () => {
    const answer = await adopted();
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('refreshToken');
    const cookies = cookiesOf(answer);
    const attributes = (name: string) => cookies.get(name)?.split('; ').slice(1).toSorted();
    const common = ['Path=/', 'SameSite=Strict', 'Secure'];
    const life = [
      expect.stringMatching(/^Expires=/),
      `Max-Age=${answer.body['refreshExpiresIn'] as unknown as number}`,
    ];
    expect(attributes('__Host-gatehouse-refresh')).toEqual([life[0], 'HttpOnly', life[1], ...common]);
    expect(attributes('__Host-gatehouse-session')).toEqual([...life, ...common]);
    expect(cookies.get('__Host-gatehouse-session')).toContain(`=${answer.body['sessionId']};`);
    expect(cookies.get('__Host-gatehouse-refresh')).toMatch(/=ghr_[\w.-]+;/);
  });

  it('uses up the refresh token of the answer', async () => {
    const { refreshToken, sessionId } = await app.login(ada);
    const answer = await ask({ refreshToken });
    expect(answer.body).toMatchObject({ sessionId, tokenType: 'Bearer', tenantId: null });
    expect(sent(answer)).not.toContain(refreshToken);
    const again = await ask({}, sent(answer));
    expect(again.status).toBe(200);
    await app.post('refresh', { refreshToken }); // two generations old by now, as a stolen one
    expect((await ask({}, sent(again))).status).toBe(401);
  });

  it('is renewed by the cookie, with one result for concurrent requests', async () => {
    const cookie = sent(await adopted());
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask({}, cookie)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(sent)).size).toBe(1);
    const token = String(answers[0]?.body['accessToken']);
    expect((await app.get('/api/v1/iam/me', token)).body).toMatchObject({ email: ada.email });
  });

  it('selects the organization of a tab, and keeps the cookie of another session', async () => {
    const organization = await Organization.found(app, ada);
    const cookie = sent(await adopted());
    const inside = await ask({ tenantId: organization.id }, cookie);
    expect(inside.body).toMatchObject({ tenantId: organization.id });
    const foreign = await Organization.found(app);
    const refused = await ask({ tenantId: foreign.id }, sent(inside));
    expect([refused.status, refused.body['type']]).toEqual([403, '/errors/not-a-member']);
    expect(refused.headers.getSetCookie()).toEqual([]);
    expect((await ask({}, sent(inside))).status).toBe(200);
  });

  it('ends with the session', async () => {
    const answer = await adopted();
    const token = String(answer.body['accessToken']);
    expect((await app.post('logout', undefined, { token })).status).toBe(204);
    const late = await ask({}, sent(answer));
    expect([late.status, late.body['type']]).toEqual([401, '/errors/invalid-refresh-token']);
    expect(late.headers.getSetCookie()).toEqual([]); // it may be another tab's by now
  });

  describe('replaced by a new one', () => {
    let grace: Person;
    beforeAll(async () => {
      grace = await Person.signUp(app);
    });

    const meOf = async ({ body }: Answer) =>
      (await app.get('/api/v1/iam/me', String(body['accessToken']))).status;
    const signIn = async (cookie: string, person = ada, headers = OWN) =>
      ask({ refreshToken: (await app.login(person)).refreshToken }, cookie, headers);

    it.each([
      ['the same account', () => ada],
      ['another account', () => grace],
    ])('ends with the sign-in of %s', async (_whose, person) => {
      const former = await adopted();
      const answer = await signIn(sent(former), person());
      expect([answer.status, await meOf(answer), await meOf(former)]).toEqual([200, 200, 401]);
      expect((await ask({}, sent(former))).status).toBe(401);
      expect((await ask({}, sent(answer))).status).toBe(200);
      const ended = await app.sql(
        "SELECT account_id FROM audit_events WHERE action = 'session.ended' AND subject = $1",
        [`iam/sessions/${former.body['sessionId']}`],
      );
      expect(ended).toEqual([{ account_id: ada.id }]);
    });

    it('ends by an old cookie as well', async () => {
      const former = await adopted();
      const renewed = await ask({}, sent(former));
      expect((await signIn(sent(former), grace)).status).toBe(200);
      expect((await ask({}, sent(renewed))).status).toBe(401);
    });

    it('stays where it is the same: a page that lost the answer retries', async () => {
      const { refreshToken } = await app.login(ada);
      const answer = await ask({ refreshToken });
      const again = await ask({ refreshToken }, sent(answer));
      expect([again.status, await meOf(answer), await meOf(again)]).toEqual([200, 200, 200]);
    });

    it('stays where the new sign-in is refused', async () => {
      const former = await adopted();
      expect((await ask({ refreshToken: 'ghr_made-up' }, sent(former))).status).toBe(401);
      expect(await meOf(former)).toBe(200);
    });

    it('stays where a page of another site signs its visitor in to another account', async () => {
      const former = await adopted();
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      expect((await signIn(sent(former), grace, headers)).status).toBe(403);
      expect(await meOf(former)).toBe(200);
    });

    it('stays where the cookie only names it', async () => {
      const former = await adopted();
      const [, token = ''] = /refresh=([^;]+)/.exec(sent(former)) ?? [];
      const forged = token.replace(/.{43}$/, 'A'.repeat(43));
      for (const cookie of [forged, token.slice(0, -1), former.body['sessionId'], '%E0%A4%A', ''])
        expect((await signIn(`__Host-gatehouse-refresh=${cookie}`, grace)).status).toBe(200);
      expect(await meOf(former)).toBe(200);
    });

    it('sets the new cookie even where it cannot be ended', async () => {
      const former = await adopted();
      const other = new Client({ connectionString: app.databaseUrl });
      await other.connect();
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [former.body['sessionId']]);
      const signingIn = signIn(sent(former), grace);
      await eventually('the end waits', async () => (await app.waitingForLocks()) > 0);
      // As the timeout of a statement does.
      await app.sql(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      const answer = await signingIn;
      await other.query('ROLLBACK');
      await other.end();
      expect([answer.status, await meOf(answer), await meOf(former)]).toEqual([200, 200, 200]);
      expect((await ask({}, sent(answer))).status).toBe(200);
    });
  });

  it('is removed from the browser on demand, without ending the session', async () => {
    const answer = await adopted();
    const forgotten = await app.call('DELETE', SESSION, undefined, {
      headers: { ...OWN, cookie: sent(answer) },
    });
    expect(forgotten.status).toBe(204);
    expect([...cookiesOf(forgotten).values()].map((line) => /^[\w-]+=; Max-Age=0;/.test(line))).toEqual([
      true,
      true,
    ]);
    expect((await ask({}, sent(answer))).status).toBe(200);
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['a page of a neighbour', { 'sec-fetch-site': 'same-site', origin: 'https://app.example.com' }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['an old browser at another origin', { origin: 'https://evil.example' }],
    ['no browser', {}],
  ])('is refused to %s', async (_who, headers) => {
    const cookie = sent(await adopted());
    const { refreshToken } = await app.login(ada);
    for (const answer of [
      await ask({}, cookie, headers),
      await ask({ refreshToken }, '', headers),
      await app.call('DELETE', SESSION, undefined, { headers: { ...headers, cookie } }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('is available to an old browser at its own origin', async () => {
    expect((await ask({}, sent(await adopted()), { origin: 'https://id.example.com' })).status).toBe(200);
  });

  it.each([
    '',
    'gatehouse',
    '__Host-gatehouse-refresh',
    '__Host-gatehouse-refresh=',
    '__Host-gatehouse-refresh=%E0%A4%A',
    '; ;=;',
  ])('ignores the malformed cookie "%s"', async (cookie) => {
    expect((await ask({}, cookie)).status).toBe(401);
  });

  it('separates ports of one machine, which cookies do not', async () => {
    const local = await TestApp.start({ PUBLIC_URL: 'http://localhost:4000' });
    try {
      const person = await Person.signUp(local);
      const { refreshToken } = person;
      const answer = await local.call('POST', SESSION, { refreshToken }, { headers: OWN });
      expect([...cookiesOf(answer).keys()]).toEqual(['gatehouse-refresh-4000', 'gatehouse-session-4000']);
      for (const line of cookiesOf(answer).values()) expect(line).not.toContain('Secure');
    } finally {
      await local.stop();
    }
  });
});

describe('A portal without TLS', () => {
  it.each([
    ['says so at its start', 'http://id.example.com', true],
    ['has nothing to say on the machine of a developer', 'http://localhost:4000', false],
  ])('%s', async (_what, PUBLIC_URL, warned) => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    try {
      await (await TestApp.start({ PUBLIC_URL })).stop();
      expect(JSON.stringify(warn.mock.calls).includes('are sent unencrypted')).toBe(warned);
    } finally {
      warn.mockRestore();
    }
  });
});
