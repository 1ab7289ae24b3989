import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import type { UserId } from '../../../src/kernel/index.js';
import { UpstreamSignOut } from '../../../src/session/index.js';
import { byTwoFactors, TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, tokenIn, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const NEW_PASSWORD = 'another long password of ada';

/** How the session of a thief can end. Each leaves a password by which the owner signs in. */
type End = (owner: Person, thief: Person) => Promise<string>;

/** Attack F11: what a thief leaves in an account. */
describe('What a session made', () => {
  /** Token of an admin of the platform. */
  let operator: string;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    const { email, token } = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(email, 'admin');
    operator = byTwoFactors(app, token);
  });

  const call = (method: string, path: string, token: string, body?: object) =>
    app.call(method, `${ME}/${path}`, body, { token });
  const operate = ({ id }: Person, what: string, body?: object) =>
    app.call('POST', `/api/v1/operator/people/${id}/${what}`, body, { token: operator });
  const done = async ({ password }: Person, answer: Promise<Answer>) => {
    expect((await answer).status).toBeLessThan(300);
    return password;
  };
  const reset = async ({ email }: Person) => {
    await app.post('request-password-reset', { email });
    const linking = async () => (await app.mails(email, 0)).find((mail) => mail.includes('reset-password?'));
    await eventually('the link arrives', async () => (await linking()) !== undefined);
    const token = tokenIn((await linking()) ?? '');
    expect((await app.post('reset-password', { token, newPassword: NEW_PASSWORD })).status).toBe(204);
    return NEW_PASSWORD;
  };
  const ENDS: [string, End][] = [
    ['signs out', (owner, thief) => done(owner, app.post('logout', undefined, { token: thief.token }))],
    [
      'is ended by the owner',
      (owner, { sessionId }) => done(owner, call('DELETE', `sessions/${sessionId}`, owner.token)),
    ],
    [
      'is one of all others',
      (owner) => done(owner, app.post('logout-others', undefined, { token: owner.token })),
    ],
    ['is one of all', (owner) => done(owner, app.post('logout-all', undefined, { token: owner.token }))],
    [
      'ends with a changed password',
      async (owner) => {
        const passwords = { currentPassword: owner.password, newPassword: NEW_PASSWORD };
        await done(owner, call('PUT', 'password', owner.token, passwords));
        return NEW_PASSWORD;
      },
    ],
    ['ends with a reset', (owner) => reset(owner)],
    [
      'ends with a suspension',
      async (owner) => {
        expect((await operate(owner, 'suspend')).status).toBe(204);
        return done(owner, operate(owner, 'restore'));
      },
    ],
    ['is ended by an operator', (owner) => done(owner, operate(owner, 'end-sessions'))],
    [
      'is ended by the provider of a connection',
      async ({ id, password }, { sessionId }) => {
        const [connectionId, sid] = [ulid(), Buffer.from(ulid())];
        await app.sql(
          `INSERT INTO upstream_sessions (session_id, connection_id, name_id_hash, oidc_sid, sealed) VALUES ($1, $2, '', $3, '')`,
          [sessionId, connectionId, sid],
        );
        const named = { nameIdHashes: [], sessionIndexes: [], oidcSids: [sid.toString('hex')] };
        const upstreams = app.app.get(UpstreamSignOut, { strict: false });
        expect(await upstreams.endSessions(id as UserId, { connectionId, ...named })).toBe(1);
        return password;
      },
    ],
    [
      'expires',
      async ({ password }, { sessionId }) => {
        await app.sql("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = $1", [
          sessionId,
        ]);
        return password;
      },
    ],
  ];
  const meet = async () => {
    const owner = await Person.signUp(app);
    return { owner, thief: await Person.again(owner) };
  };
  const tokenOf = async (email: string, password: string) =>
    String((await app.post('login', { email, password })).body['accessToken']);

  it.each(ENDS)('is no change of address once it %s', async (_, end) => {
    const { owner, thief } = await meet();
    const email = `${ulid().toLowerCase()}@example.com`;
    expect((await call('PUT', 'email', thief.token, { email })).status).toBe(202);
    const token = await app.mailedToken(email);
    const password = await end(owner, thief);
    const own = await tokenOf(owner.email, password);
    expect((await call('GET', 'email-change', own)).body).toMatchObject({ pending: null });
    expect((await app.post('confirm-email', { token })).status).toBe(400);
  });

  it.each(ENDS)('is no authenticator app that was begun once it %s', async (_, end) => {
    const { owner, thief } = await meet();
    const { body } = await call('POST', 'authenticators/totp', thief.token);
    const own = await tokenOf(owner.email, await end(owner, thief));
    const app_ = TestTotp.scanned(String(body['secret']));
    const confirmed = await call('POST', `authenticators/totp/${String(body['id'])}/confirm`, own, {
      code: app_.next(),
    });
    expect(confirmed.status).toBe(404);
  });

  it('is listed, and ends with one press: keys, factors and devices', async () => {
    const { owner, thief } = await meet();
    const { id: tenantId } = await Organization.found(app, owner);
    const made = await call('POST', 'keys', thief.token, { tenantId, name: 'Of a thief' });
    expect(made.status).toBe(201);
    await TestTotp.enrol(app, thief.token);
    const password = await reset(owner);
    const mail = async () =>
      (await app.mails(owner.email, 0)).find((text) => text.includes('/account/sessions'));
    await eventually('the mail arrives', async () => (await mail()) !== undefined);
    expect(await mail()).toContain('Of a thief');
    await app.sql('DELETE FROM totp_authenticators WHERE account_id = $1', [owner.id]);
    const own = await tokenOf(owner.email, password);
    const { body } = await call('GET', 'sessions/traces', own);
    expect(body['items']).toMatchObject([
      { kind: 'personal-key', name: 'Of a thief', sessionId: thief.sessionId },
    ]);
    expect((await app.get(ME, String(made.body['key']))).status).toBe(200);
    expect((await call('DELETE', `sessions/${thief.sessionId}/traces`, own)).status).toBe(204);
    expect((await app.get(ME, String(made.body['key']))).status).toBe(401);
    expect((await call('GET', 'sessions/traces', own)).body).toEqual({ items: [] });
  });

  it('ends with one press in a session that goes on, and leaves what other sessions made', async () => {
    const { owner, thief } = await meet();
    const { id: tenantId } = await Organization.found(app, owner);
    await call('POST', 'keys', owner.token, { tenantId, name: 'Of the owner' });
    await call('POST', 'keys', thief.token, { tenantId, name: 'Of a thief' });
    expect((await call('DELETE', `sessions/${thief.sessionId}/traces`, owner.token)).status).toBe(204);
    expect((await app.get(ME, thief.token)).status).toBe(401);
    const { body } = await call('GET', 'sessions/traces', owner.token);
    expect(body['items']).toMatchObject([{ name: 'Of the owner' }]);
  });

  it('is of no other person', async () => {
    const { owner, thief } = await meet();
    const { id: tenantId } = await Organization.found(app, owner);
    await call('POST', 'keys', thief.token, { tenantId, name: 'Kept' });
    const stranger = await Person.signUp(app);
    expect((await call('DELETE', `sessions/${thief.sessionId}/traces`, stranger.token)).status).toBe(404);
    expect((await call('GET', 'sessions/traces', owner.token)).body['items']).toHaveLength(1);
    expect((await app.get(ME, thief.token)).status).toBe(200);
  });

  it('is mailed to a person who ends a session that made something', async () => {
    const { owner, thief } = await meet();
    const { id: tenantId } = await Organization.found(app, owner);
    await call('POST', 'keys', thief.token, { tenantId, name: 'Of a thief' });
    const { length } = await app.mails(owner.email);
    expect((await call('DELETE', `sessions/${thief.sessionId}`, owner.token)).status).toBe(204);
    expect((await app.mails(owner.email, length + 1)).at(-1)).toContain('Of a thief');
  });
});
