import { generateKeyPair, SignJWT } from 'jose';
import { ulid } from 'ulid';
import { withProvider } from '../../support/external.js';
import { LabConnection, oidcSettings } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type';
const REVOKED = `${CAEP}/session-revoked`;

describe('Security events of the provider of a connection', () => {
  const app = withApp({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  let organization: Organization;
  const oidc = withProvider();
  let connection: LabConnection;
  beforeAll(async () => {
    organization = await Organization.found(app);
    connection = await LabConnection.active(organization, oidcSettings(oidc));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
  });

  interface Signed {
    readonly token: string;
    readonly name: string;
  }
  const signIn = async (sid: string, name = ulid()): Promise<Signed> => {
    oidc.person = { sub: name, email: `${name.toLowerCase()}@${connection.domain}`, sid };
    const { fragment } = await connection.bring(oidc.visit(await connection.start()));
    expect(fragment).toHaveProperty('access_token');
    return { token: fragment['access_token'] ?? '', name };
  };
  const isAlive = async ({ token }: Signed) => (await app.get('/api/v1/iam/me', token)).status === 200;

  const userOf = ({ name }: Pick<Signed, 'name'>) => ({ format: 'iss_sub', iss: oidc.issuer, sub: name });
  const sessionOf = (sid: string) => ({ format: 'opaque', id: sid });
  const claimsOf = (event: string, subId: object, changes: object = {}) => ({
    iss: oidc.issuer,
    aud: oidc.clientId,
    iat: Math.floor(Date.now() / 1_000),
    jti: ulid(),
    sub_id: subId,
    events: { [event]: {} },
    ...changes,
  });
  const tokenOf = (event: string, subId: object, changes: object = {}, header: object = {}) =>
    oidc.sign(claimsOf(event, subId, changes), { typ: 'secevent+jwt', ...header });
  const send = async (token: string, { id = connection.id, type = 'application/secevent+jwt' } = {}) => {
    const response = await fetch(`${app.url}/api/iam/auth/external/oidc/signals/${id}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: token,
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as object) };
  };

  it('end the session that they name, and that alone', async () => {
    const [sid, other] = [ulid(), ulid()];
    const person = await signIn(sid);
    const atAnother = await signIn(other, person.name);
    const subject = { format: 'complex', user: userOf(person), session: sessionOf(sid) };
    expect(await send(await tokenOf(REVOKED, subject))).toEqual({ status: 202, body: null });
    expect([await isAlive(person), await isAlive(atAnother)]).toEqual([false, true]);
  });

  it('are read up to the size that the API document states', async () => {
    const [largest, larger] = ['x'.repeat(16_384), 'x'.repeat(16_385)];
    expect((await send(largest)).status).toBe(400);
    expect((await send(larger)).status).toBe(413);
  });

  it('end a session without a person', async () => {
    const sid = ulid();
    const person = await signIn(sid);
    await send(await tokenOf(REVOKED, { format: 'complex', session: sessionOf(sid) }));
    expect(await isAlive(person)).toBe(false);
  });

  it.each([
    REVOKED,
    `${RISC}/account-disabled`,
    `${RISC}/account-purged`,
    `${RISC}/account-credential-change-required`,
    `${RISC}/credential-compromise`,
    `${RISC}/sessions-revoked`,
  ])('end all sessions of the person by %s', async (event) => {
    const first = await signIn(ulid());
    const second = await signIn(ulid(), first.name);
    const stranger = await signIn(ulid());
    expect((await send(await tokenOf(event, userOf(first)))).status).toBe(202);
    expect([await isAlive(first), await isAlive(second), await isAlive(stranger)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('change nothing if they are about something else, or a verification', async () => {
    const person = await signIn(ulid());
    for (const event of [
      `${CAEP}/credential-change`,
      `${CAEP}/assurance-level-change`,
      'https://schemas.openid.net/secevent/ssf/event-type/verification',
    ])
      expect((await send(await tokenOf(event, userOf(person)))).status).toBe(202);
    expect(await isAlive(person)).toBe(true);
  });

  it('count once, and are accepted when they come again', async () => {
    const person = await signIn(ulid());
    const token = await tokenOf(REVOKED, userOf(person));
    expect((await send(token)).status).toBe(202);
    const later = await signIn(ulid(), person.name);
    expect((await send(token)).status).toBe(202);
    expect(await isAlive(later)).toBe(true);
  });

  it('are refused if they are forged, old, of another type, or for another client or person', async () => {
    const person = await signIn(ulid());
    const { privateKey } = await generateKeyPair('ES256');
    const subject = userOf(person);
    const now = Math.floor(Date.now() / 1_000);
    const tokens = await Promise.all([
      tokenOf(REVOKED, subject, { aud: 'another' }),
      tokenOf(REVOKED, subject, { iss: 'https://attacker.example' }),
      tokenOf(REVOKED, subject, { iat: now - 8 * 86_400 }),
      tokenOf(REVOKED, subject, { jti: undefined }),
      tokenOf(REVOKED, subject, { events: undefined }),
      tokenOf(REVOKED, { ...subject, iss: 'https://other.example' }),
      tokenOf(REVOKED, { format: 'email', email: `${person.name.toLowerCase()}@${connection.domain}` }),
      tokenOf(REVOKED, {}),
      tokenOf(REVOKED, subject, {}, { typ: 'JWT' }),
      tokenOf(REVOKED, subject, {}, { typ: 'logout+jwt' }),
      new SignJWT(claimsOf(REVOKED, subject))
        .setProtectedHeader({ alg: 'ES256', kid: 'lab', typ: 'secevent+jwt' })
        .sign(privateKey),
    ]);
    const good = await tokenOf(REVOKED, subject);
    for (const token of [...tokens, good.replace(/[^.]*$/, ''), 'none', ''])
      expect(await send(token)).toEqual({
        status: 400,
        body: { err: 'invalid_request', description: 'It is no valid security event token.' },
      });
    expect((await send(good, { type: 'application/jwt' })).status).toBe(415);
    expect((await send(good, { id: ulid() })).status).toBe(404);
    expect(await isAlive(person)).toBe(true);
  });

  // Last: it changes the connection.
  it('end no session by settings that no member has activated', async () => {
    const person = await signIn(ulid());
    await connection.call('PATCH', '', { settings: { scopes: ['groups'] } });
    expect((await send(await tokenOf(REVOKED, userOf(person)))).status).toBe(400);
    expect(await isAlive(person)).toBe(true);
  });
});
