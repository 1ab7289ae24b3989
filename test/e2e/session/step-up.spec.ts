import { Client } from 'pg';
import { AccessTokenService } from '../../../src/session/tokens/access-token.service.js';
import type { PersonPrincipal } from '../../../src/kernel/principal.js';
import { claimsOf, signedInAgo } from '../../support/aged.js';
import { withOidc } from '../../support/external.js';
import { TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { eventually, itemsOf, type Answer } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const IDENTITIES = `${ME}/identities`;
const WRONG = 'a-wrong-harbour-9';
const INSUFFICIENT = {
  status: 401,
  body: {
    type: '/errors/insufficient-user-authentication',
    title: 'Insufficient User Authentication',
    status: 401,
    detail: 'Your last sign-in is too long ago for this. Confirm that it is you, then try again.',
    code: 'authentication_insufficient',
    maxAge: 600,
    methods: ['password'],
  },
};

describe('Step-up', () => {
  const { lab, app, visitor } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'authority.example' });

  const erase = (token: string) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
  const beginLink = (token: string) => app.call('POST', `${IDENTITIES}/oidc/link`, {}, { token });
  const unlink = (id: string, token: string) =>
    app.call('DELETE', `${IDENTITIES}/${id}`, undefined, { token });
  const stepUp = (token: string, password: string) =>
    app.post('step-up', { method: 'password', password }, { token });
  const options = (token: string) => app.post('step-up/options', undefined, { token });
  const signInExternally = async (sub: string): Promise<string> => {
    lab.person = { sub };
    const { body } = await visitor.start();
    const { fragment } = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    return fragment['access_token'] ?? '';
  };
  const link = async (person: Person, sub: string): Promise<string> => {
    lab.person = { sub };
    const { body } = await beginLink(person.token);
    await visitor.redeem(person.token, await visitor.open(lab.visit(String(body['authorizationUrl']))));
    return itemsOf<{ id: string }>(await app.get(IDENTITIES, person.token)).at(-1)?.id ?? '';
  };
  const canUnlink = async (id: string, token: string) =>
    (
      await app.call(
        'POST',
        '/api/auth/can',
        { subject: `gatehouse:///iam/identities/${id}`, scopes: ['iam:identity:unlink'] },
        { token },
      )
    ).body['iam:identity:unlink'];
  const expectInsufficient = ({ status, headers, body }: Answer): void => {
    expect({ status, body }).toMatchObject(INSUFFICIENT);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", max_age="600"',
    );
  };
  const confirmedAt = async ({ sessionId }: Person) =>
    (await app.sql('SELECT confirmed_at FROM sessions WHERE id = $1', [sessionId]))[0]?.['confirmed_at'];

  describe('is asked for where the sign-in is more than ten minutes ago', () => {
    it('by an erasure, which then has erased nothing', async () => {
      const person = await Person.signUp(app);
      const { accessToken, refreshToken } = await signedInAgo(app, person);
      expectInsufficient(await erase(accessToken));
      expect((await app.get(ME, accessToken)).body).toMatchObject({ email: person.email });
      const { body } = await stepUp(accessToken, person.password);
      expect((await erase(String(body['accessToken']))).status).toBe(204);
      expect((await app.post('refresh', { refreshToken })).status).toBe(401);
    });

    it('by an erasure once more, where the confirmation is as old', async () => {
      const person = await Person.signUp(app);
      const { accessToken, refreshToken } = await signedInAgo(app, person);
      expect((await stepUp(accessToken, person.password)).status).toBe(200);
      const { sessionId } = person;
      const recent = await signedInAgo(app, { sessionId, refreshToken }, 590);
      expect((await beginLink(recent.accessToken)).status).toBe(200);
      const { accessToken: old } = await signedInAgo(
        app,
        { sessionId, refreshToken: recent.refreshToken },
        20,
      );
      expectInsufficient(await erase(old));
      expect((await app.get(ME, old)).body).toMatchObject({ email: person.email });
    });

    it('by a link and by an unlink, which the probe says beforehand', async () => {
      const person = await Person.signUp(app);
      const id = await link(person, `linked-to-${person.id}`);
      expect(await canUnlink(id, person.token)).toEqual({ allowed: true });
      const { accessToken } = await signedInAgo(app, person);
      expectInsufficient(await beginLink(accessToken));
      expectInsufficient(await unlink(id, accessToken));
      expect(await canUnlink(id, accessToken)).toEqual({
        allowed: false,
        code: 'authentication_insufficient',
        reason: INSUFFICIENT.body.detail,
      });
      const token = String((await stepUp(accessToken, person.password)).body['accessToken']);
      expect(await canUnlink(id, token)).toEqual({ allowed: true });
      expect((await beginLink(token)).status).toBe(200);
      expect((await unlink(id, token)).status).toBe(204);
    });

    it('by making an owner, and by no other change of roles', async () => {
      const organization = await Organization.found(app);
      const { person } = await organization.join('member');
      const tokens = await signedInAgo(app, organization.owner.person);
      const { body } = await app.post(
        'select-tenant',
        { tenantId: organization.id },
        { token: tokens.accessToken },
      );
      const old = String(body['accessToken']);
      const tenant = `/api/v1/iam/tenants/${organization.id}`;
      const give = (roles: string[], token = old) =>
        app.call('PATCH', `${tenant}/members/${person.id}`, { roles }, { token });
      const invite = (roles: string[], email: string, token = old) =>
        app.call('POST', `${tenant}/invitations`, { email, roles }, { token });
      expectInsufficient(await give(['owner', 'member']));
      expectInsufficient(await invite(['owner'], 'owner@example.com'));
      expect(await invite(['nothing'], 'owner@example.com')).toMatchObject({ status: 400 });
      expect((await give(['admin'])).body).toMatchObject({ roles: ['admin'] });
      expect((await invite(['admin'], 'admin@example.com')).status).toBe(201);
      const confirmed = await stepUp(old, organization.owner.person.password);
      const token = String(confirmed.body['accessToken']);
      expect((await invite(['owner'], 'owner@example.com', token)).status).toBe(201);
      expect((await give(['owner'], token)).body).toMatchObject({ roles: ['owner'] });
      expect((await give(['owner', 'member'])).status).toBe(200); // is one already
    });

    it('last of all: a request that is refused anyway requires no confirmation', async () => {
      const token = await signInExternally('the-only-way-in');
      const [only] = itemsOf<{ id: string }>(await app.get(IDENTITIES, token));
      const old = tokenOfAge(token, 660);
      expect(await unlink(only?.id ?? '', old)).toMatchObject({
        status: 403,
        body: { code: 'state_forbids' },
      });
      expect(await unlink('01ARZ3NDEKTSV4RRFFQ69G5FAV', old)).toMatchObject({ status: 404 });
    });

    it('to the second, by what the token says', async () => {
      const { token } = await Person.signUp(app);
      expect((await beginLink(tokenOfAge(token, 590))).status).toBe(200);
      expectInsufficient(await beginLink(tokenOfAge(token, 601)));
    });

    it('never by what ends sessions', async () => {
      const person = await Person.signUp(app);
      const other = await Person.again(person);
      const { accessToken: token } = await signedInAgo(app, person);
      const end = `${ME}/sessions/${other.sessionId}`;
      expect((await app.call('DELETE', end, undefined, { token })).status).toBe(204);
      for (const path of ['logout-others', 'logout-all'])
        expect((await app.post(path, undefined, { token })).status).toBe(204);
      const third = await Person.again(person);
      const { accessToken } = await signedInAgo(app, third);
      expect((await app.post('logout', undefined, { token: accessToken })).status).toBe(204);
    });
  });

  describe('by password', () => {
    it('gives the same session a new auth_time, in the same tenant, kept by later refreshes', async () => {
      const { owner, id: tenantId } = await Organization.found(app);
      const { refreshToken } = await signedInAgo(app, owner.person, 6_000);
      const old = tokenOfAge(owner.token, 6_000);
      const { status, headers, body } = await stepUp(old, owner.person.password);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toMatchObject({ sessionId: owner.person.sessionId, tenantId });
      expect(body).not.toHaveProperty('refreshToken');
      const before = claimsOf(old);
      const after = claimsOf(body['accessToken']);
      expect(after).toMatchObject({ sid: before['sid'], gid: before['gid'], tid: tenantId, amr: ['pwd'] });
      expect(Number(after['auth_time'])).toBeGreaterThan(Date.now() / 1_000 - 60);
      const refreshed = await app.post('refresh', { refreshToken });
      expect(claimsOf(refreshed.body['accessToken'])['auth_time']).toBe(after['auth_time']);
      expectInsufficient(await beginLink(old)); // a token is judged by what it says itself
      const trail = await app.get(`${ME}/audit-events`, owner.person.token);
      expect(itemsOf(trail)).toContainEqual(expect.objectContaining({ action: 'session.confirmed' }));
    });

    it('refuses a wrong password and that of another person, and changes nothing', async () => {
      const [ada, eve] = [await Person.signUp(app), await Person.signUp(app)];
      const { accessToken } = await signedInAgo(app, ada);
      const other = 'a-harbour-of-eve-7';
      await app.call(
        'PUT',
        `${ME}/password`,
        { currentPassword: eve.password, newPassword: other },
        { token: eve.token },
      );
      for (const password of [WRONG, other])
        expect(await stepUp(accessToken, password)).toMatchObject({
          status: 401,
          body: { type: '/errors/invalid-credentials', detail: 'The password is wrong.' },
        });
      expect(await confirmedAt(ada)).toBeNull();
      expect(await confirmedAt(eve)).toBeNull();
      expectInsufficient(await erase(accessToken));
    });

    it('counts guesses with those of logins, and slows down as they do', async () => {
      const { email, password, token } = await Person.signUp(app);
      for (let n = 0; n < 3; n += 1) await stepUp(token, WRONG);
      for (let n = 0; n < 2; n += 1) await app.post('login', { email, password: WRONG });
      expect((await stepUp(token, password)).status).toBe(401);
      expect((await app.post('login', { email, password })).status).toBe(401);
      await app.sql("UPDATE login_throttles SET blocked_until = '-infinity'");
      expect((await stepUp(token, password)).status).toBe(200);
    });

    it('does not take the password of a registration that waits for the address', async () => {
      const person = await Person.signUp(app);
      await app.post('register', { email: person.email, password: WRONG, firstName: 'Eve' });
      expect(await stepUp(person.token, WRONG)).toMatchObject({
        status: 401,
        body: { type: '/errors/invalid-credentials' },
      });
    });

    it('is for our own app, and not for satellites', async () => {
      const person = await Person.signUp(app);
      const satellite = await TestSatellite.register(app);
      const { accessToken } = await satellite.signIn(person.token);
      expect(await stepUp(accessToken, person.password)).toMatchObject({ status: 403 });
      expect(await options(accessToken)).toMatchObject({ status: 403 });
      expect(await confirmedAt(person)).toBeNull();
    });

    it('asks for a session that goes on', async () => {
      const person = await Person.signUp(app);
      await app.post('logout', undefined, { token: person.token });
      expect(await stepUp(person.token, person.password)).toMatchObject({ status: 401 });
    });

    it.each([{}, { method: 'password' }, { method: 'totp', password: 'quiet-harbour-42' }])(
      'answers 400 to %j',
      async (body) => {
        const { token } = await Person.signUp(app);
        expect((await app.post('step-up', body, { token })).status).toBe(400);
      },
    );
  });

  describe('of a person without a password', () => {
    it('is a new external sign-in, and says so', async () => {
      const token = await signInExternally('without-a-password');
      const old = tokenOfAge(token, 660);
      expect(await options(old)).toMatchObject({ status: 200, body: { methods: [] } });
      expect(await erase(old)).toMatchObject({ status: 401, body: { maxAge: 600, methods: [] } });
      expect(await stepUp(old, WRONG)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'method' }] },
      });
      expect((await erase(await signInExternally('without-a-password'))).status).toBe(204);
    });
  });

  it('says by which methods the caller can confirm', async () => {
    const { token } = await Person.signUp(app);
    expect(await options(token)).toMatchObject({ status: 200, body: { methods: ['password'] } });
  });

  describe('that is under way', () => {
    it.each([
      [
        'a new password',
        'invalid-credentials',
        'UPDATE accounts SET password_version = password_version + 1',
      ],
      ['a suspension', 'invalid-credentials', 'UPDATE accounts SET suspended_at = now()'],
      ['a logout', 'unauthenticated', 'UPDATE sessions SET ended_at = now()'],
      ['the end of its grant', 'unauthenticated', 'UPDATE grants SET ended_at = now()'],
    ])('confirms nothing after %s', async (_, code, update) => {
      const person = await Person.signUp(app);
      const answer = await duringStepUp(person, update, () => stepUp(person.token, person.password));
      expect(answer).toMatchObject({ status: 401, body: { type: `/errors/${code}` } });
      expect(await confirmedAt(person)).toBeNull();
    });

    it('confirms nothing by a second factor after a suspension', async () => {
      const person = await Person.signUp(app);
      const totp = await TestTotp.enrol(app, person.token);
      const before = await confirmedAt(person);
      const answer = await duringStepUp(person, 'UPDATE accounts SET suspended_at = now()', () =>
        app.post('step-up', { method: 'totp', code: totp.next() }, { token: person.token }),
      );
      expect(answer).toMatchObject({ status: 401, body: { type: '/errors/unauthenticated' } });
      expect(await confirmedAt(person)).toEqual(before);
    });

    /** Lets a step-up wait for a transaction that locks account or session, and updates it. */
    async function duringStepUp(
      { id, sessionId }: Person,
      update: string,
      confirm: () => Promise<Answer>,
    ): Promise<Answer> {
      const other = new Client({ connectionString: app.databaseUrl });
      await other.connect();
      try {
        const [table, key] = update.includes('accounts') ? ['accounts', id] : ['sessions', sessionId];
        await other.query('BEGIN');
        await other.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [key]);
        const answer = confirm();
        await eventually('the step-up waits', async () => (await app.waitingForLocks()) === 1);
        const column = update.includes('grants') ? 'session_id' : 'id';
        await other.query(`${update} WHERE ${column} = $1`, [key]);
        await other.query('COMMIT');
        return await answer;
      } finally {
        await other.end();
      }
    }
  });

  /** The same token, but of a sign-in so many seconds ago. */
  function tokenOfAge(token: string, seconds: number): string {
    const { sub, sid, gid, tid = null, client_id: clientId, amr } = claimsOf(token);
    const principal = {
      userId: sub,
      sessionId: sid,
      grantId: gid,
      tenantId: tid,
      clientId,
    } as PersonPrincipal;
    return app.app.get(AccessTokenService, { strict: false }).sign({
      ...principal,
      amr: amr as string[],
      authTime: new Date(Date.now() - seconds * 1_000),
      aal2Time: null,
      phrTime: null,
      trustedDevice: false,
      scopes: [],
    });
  }
});
