import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { signedInAgo } from '../../support/aged.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { ceremonyOf, TestPasskey, TestTotp } from '../../support/factors.js';
import { Organization } from '../../support/organization.js';
import {
  type Answer,
  eventually,
  itemsOf,
  tokenIn as mailedTokenIn,
  withApp,
} from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';

/**
 * What the administrator of one organization's provider can do to the factors of the person, and of
 * another organization: only a connection has vouched for each session here.
 */
describe('Factors in a session that only a connection has vouched for', () => {
  const lab = new SamlStandIn();
  let ofA: LabConnection;
  let ofB: LabConnection;
  let b: Organization;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    ofA = await LabConnection.active(await Organization.found(app), samlSettings(lab));
    await ofA.call('PATCH', '', { provisioning: { justInTime: true } });
    b = await Organization.found(app);
    ofB = await LabConnection.active(b, samlSettings(lab));
  });

  const bring = async (subject: string, connection: LabConnection) => {
    const words = { attributes: { email: `${subject}@${ofA.domain}` } };
    return (await connection.bring(lab.answer(await connection.start(), subject, { words }))).fragment;
  };
  const challengeOf = async (subject: string) => (await bring(subject, ofA))['challenge'];
  const signIn = async (subject: string, connection: LabConnection) => {
    const fragment = await bring(subject, connection);
    if (fragment.access_token === undefined) throw new Error(JSON.stringify(fragment));
    return fragment.access_token;
  };

  /** A person whom the connection of A has added, who has nothing of their own. */
  const employee = async () => {
    const subject = ulid().toLowerCase();
    const token = await signIn(subject, ofA);
    return { subject, token, id: String(decodeJwt(token).sub) };
  };

  /**
   * The same person by the connection of B, of which they are a member too, and which has got the
   * domain of their address since.
   */
  const alsoOfB = async ({ subject, id }: { subject: string; id: string }) => {
    const email = `${subject}@${ofB.domain}`;
    await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [id, email]);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [b.id, id]);
    await app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $5)`,
      [ulid(), id, ofB.id, lab.issuer, subject],
    );
    return signIn(subject, ofB);
  };

  /** Adds an app of the person's own, two wrong codes before it is blocked. */
  const addOwnApp = (id: string) =>
    app.sql(
      `INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, session_id, confirmed_at, last_step, failures)
       SELECT account_id, $2, 'Own', sealed_secret, session_id, now(), 9007199254740991, 98 FROM totp_authenticators WHERE account_id = $1`,
      [id, ulid()],
    );

  /** A person who has an app that counts in A, and one of their own without recovery codes. */
  const withBoth = async () => {
    const person = await employee();
    const ofOrganization = await TestTotp.enrol(app, person.token);
    const { body } = await app.post(
      'step-up',
      { method: 'totp', code: ofOrganization.next() },
      { token: person.token },
    );
    await addOwnApp(person.id);
    return { ...person, token: String(body['accessToken']), ofOrganization };
  };
  const ownApp = async (id: string) => {
    const rows = await app.sql(
      `SELECT failures, blocked_at IS NOT NULL AS blocked FROM totp_authenticators WHERE account_id = $1 AND assured_by IS NULL`,
      [id],
    );
    return rows[0] as { failures: number; blocked: boolean };
  };

  it('remove and rename none that counts in another organization', async () => {
    const person = await employee();
    const totp = await TestTotp.enrol(app, person.token);
    const token = await alsoOfB(person);
    const path = `${AUTHENTICATORS}/${totp.id}`;
    expect((await app.call('DELETE', path, undefined, { token })).status).toBe(403);
    const renamed = await app.call('PATCH', path, { name: 'Taken' }, { token });
    expect(renamed.status).toBe(403);
  });

  it('replace no recovery codes of another organization', async () => {
    const person = await employee();
    const totp = await TestTotp.enrol(app, person.token);
    const token = await alsoOfB(person);
    await TestTotp.enrol(app, token);
    const code = totp.recoveryCodes[0];
    const shown = await app.post('step-up', { method: 'recovery_code', code }, { token: person.token });
    expect(shown.status).toBe(200);
  });

  it('keep the count of wrong codes of an app of the person by a right code of the organization', async () => {
    const { id, token, ofOrganization } = await withBoth();
    const code = ofOrganization.next();
    expect((await app.post('step-up', { method: 'totp', code }, { token })).status).toBe(200);
    expect(await ownApp(id)).toEqual({ failures: 98, blocked: false });
  });

  it('keep the slowdown of guesses by a right code of the organization', async () => {
    const { token } = await employee();
    const ofOrganization = await TestTotp.enrol(app, token);
    const confirm = async (code: string) =>
      (await app.post('step-up', { method: 'totp', code }, { token })).status;
    const right = ofOrganization.next();
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    for (let n = 0; n < 4; n += 1) expect(await confirm(wrong)).not.toBe(200);
    expect(await confirm(right)).toBe(200);
    expect(await confirm(wrong)).not.toBe(200);
    expect(await app.sql('SELECT 1 FROM login_throttles WHERE blocked_until > now()')).toHaveLength(1);
  });

  it('keep an app of the person blocked by a recovery code of the organization', async () => {
    const { id, token, ofOrganization } = await withBoth();
    const own = `WHERE account_id = $1 AND assured_by IS NULL`;
    await app.sql(`UPDATE totp_authenticators SET blocked_at = now() ${own}`, [id]);
    const code = ofOrganization.recoveryCodes[0];
    expect((await app.post('step-up', { method: 'recovery_code', code }, { token })).status).toBe(200);
    expect(await ownApp(id)).toEqual({ failures: 98, blocked: true });
  });

  it('keep an app of the person blocked by a passkey of the organization', async () => {
    const { token: first, id } = await employee();
    const passkey = await TestPasskey.enrol(app, first);
    await app.sql(
      `INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, session_id, confirmed_at, failures, blocked_at)
       VALUES ($1, $2, 'Own', 'x', 's', now(), 99, now())`,
      [id, ulid()],
    );
    const options = ceremonyOf(await app.post('step-up/options', undefined, { token: first }));
    const answer = { method: 'passkey', ...passkey.authenticator.assert(options) };
    expect((await app.post('step-up', answer, { token: first })).status).toBe(200);
    expect(await ownApp(id)).toEqual({ failures: 99, blocked: true });
  });

  describe('once the person has a password', () => {
    const password = 'a long password of ada';
    const AUTHENTICATION = { status: 401, body: { code: 'authentication_insufficient' } };
    const WRONG = { status: 401, body: { type: '/errors/invalid-second-factor' } };
    const tokenIn = ({ body }: Answer) => String(body['accessToken']);
    const confirm = (token: string, answer: object) => app.post('step-up', answer, { token });
    const changeAddress = (token: string) =>
      app.call('PUT', '/api/v1/iam/me/email', { email: `${ulid()}@private.example` }, { token });
    const codesLeft = async (token: string) =>
      (await app.get(AUTHENTICATORS, token)).body['recoveryCodesLeft'];

    /** A person who has set a password by mail, and signed in by it. */
    const withPassword = async () => {
      const person = await employee();
      const totp = await TestTotp.enrol(app, person.token);
      const email = `${person.subject}@${ofA.domain}`;
      await app.post('request-password-reset', { email });
      const mails = async () =>
        (await app.mails(email, 0)).filter((mail) => mail.includes('reset-password?'));
      await eventually('the link arrives', async () => (await mails()).length > 0);
      const token = mailedTokenIn((await mails())[0] ?? '');
      expect((await app.post('reset-password', { token, newPassword: password })).status).toBe(204);
      const { status, body } = await app.post('login', { email, password });
      expect(status).toBe(200);
      const session = body as unknown as { accessToken: string; refreshToken: string; sessionId: string };
      return { ...person, totp, email, session, token: session.accessToken };
    };

    it('renew no old session, until the person has confirmed it', async () => {
      const { totp, session } = await withPassword();
      const { accessToken: old } = await signedInAgo(app, session);
      const factor = { method: 'totp', code: totp.next() };
      expect((await app.post('step-up/options', undefined, { token: old })).body).toEqual({
        methods: ['password'],
      });
      expect(await confirm(old, factor)).toMatchObject(WRONG);
      expect(await changeAddress(old)).toMatchObject({
        ...AUTHENTICATION,
        body: { methods: ['password'] },
      });
      const recent = tokenIn(await confirm(old, { method: 'password', password }));
      expect((await confirm(recent, factor)).status).toBe(200);
      expect((await changeAddress(recent)).status).toBe(401);
      const [{ countsOnlyIn } = {}] = itemsOf<{ countsOnlyIn?: object | null }>(
        await app.get(AUTHENTICATORS, recent),
      );
      expect(countsOnlyIn).toBeNull();
    });

    it('are not shown in place of the second factor of their own', async () => {
      const { id, totp, token } = await withPassword();
      await addOwnApp(id);
      expect(await confirm(token, { method: 'totp', code: totp.next() })).toMatchObject(WRONG);
      expect((await app.post('step-up/options', undefined, { token })).body['methods']).toEqual([
        'password',
        'totp',
      ]);
      expect(await changeAddress(token)).toMatchObject({ ...AUTHENTICATION, body: { methods: ['totp'] } });
    });

    it('are named where two are required, after a recent password', async () => {
      const { session } = await withPassword();
      const organization = ofA.organization;
      await app.sql(
        `UPDATE tenants SET sign_in_policy = '{"sso":"optional","secondFactor":"required","graceDays":0,"otherConnections":false,"trustedDevices":true,"maxAuthAgeSeconds":null,"sessionMaxHours":null,"supportAccess":"never","secondFactorSince":"2026-01-01T00:00:00Z"}' WHERE id = $1`,
        [organization.id],
      );
      const enter = (token: string) => app.post('select-tenant', { tenantId: organization.id }, { token });
      await eventually(
        'two factors are required',
        async () => (await enter(session.accessToken)).status === 401,
      );
      expect((await enter(session.accessToken)).body).toMatchObject({ acr: 'aal2', methods: ['totp'] });
      const { accessToken: old } = await signedInAgo(app, session);
      const refused = await enter(old);
      expect(refused).toMatchObject({
        ...AUTHENTICATION,
        body: { acr: 'aal1', maxAge: 600, methods: ['password'] },
      });
      expect(refused.body).not.toHaveProperty('enrol');
      await app.sql('UPDATE tenants SET sign_in_policy = NULL WHERE id = $1', [organization.id]);
    });

    it('leave recovery codes that prove nothing in a session of their own', async () => {
      const { totp, token, subject } = await withPassword();
      const [code] = totp.recoveryCodes;
      expect(await confirm(token, { method: 'recovery_code', code })).toMatchObject(WRONG);
      expect(await codesLeft(token)).toBe(0);
      expect((await app.post('step-up/options', undefined, { token })).body['methods']).toEqual([
        'password',
        'totp',
      ]);
      // They still count where the organization has vouched.
      const challenge = await challengeOf(subject);
      const byConnection = await app.post('second-factor', { challenge, method: 'recovery_code', code });
      expect(byConnection.status).toBe(200);
      expect(await codesLeft(tokenIn(byConnection))).toBe(9);
      // Nor once the app is the person's, who gets codes of their own.
      const strong = tokenIn(await confirm(token, { method: 'totp', code: totp.next() }));
      const other = { method: 'recovery_code', code: totp.recoveryCodes[1] };
      expect(await confirm(strong, other)).toMatchObject(WRONG);
      expect(await codesLeft(strong)).toBe(0);
      const renewed = await app.call('POST', '/api/v1/iam/me/recovery-codes', undefined, { token: strong });
      expect(renewed.status).toBe(200);
      expect(await codesLeft(strong)).toBe(10);
      const [own] = renewed.body['recoveryCodes'] as unknown as string[];
      expect((await confirm(strong, { method: 'recovery_code', code: own })).status).toBe(200);
    });

    it('keep no person without password and recovery: theirs do not sign in', async () => {
      const { token, id } = await withPassword();
      const passkey = await TestPasskey.enrol(app, token);
      const organization = { assured: ofA.organization.id, id };
      const byPasskey = await app.post('step-up/options', undefined, { token });
      const answer = { method: 'passkey', ...passkey.authenticator.assert(ceremonyOf(byPasskey)) };
      const strong = tokenIn(await confirm(token, answer));
      const remove = () => app.call('DELETE', '/api/v1/iam/me/password', undefined, { token: strong });
      // One passkey of their own; recovery codes and a passkey of the organization.
      await app.sql('UPDATE recovery_codes SET assured_by = $2 WHERE account_id = $1', [
        organization.id,
        organization.assured,
      ]);
      await app.sql(
        `INSERT INTO passkeys SELECT (jsonb_populate_record(p, jsonb_build_object('id', $2::text, 'credential_id', '\\x01', 'assured_by', $3::text))).* FROM passkeys p WHERE account_id = $1`,
        [organization.id, ulid(), organization.assured],
      );
      expect((await remove()).status).toBe(409);
      await app.sql('UPDATE passkeys SET assured_by = NULL WHERE account_id = $1', [organization.id]);
      expect((await remove()).status).toBe(204);
    });
  });

  it('are not those of a person without any while the only one of their own is blocked', async () => {
    const { id, token } = await employee();
    await app.sql(
      `INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, session_id, confirmed_at, blocked_at)
       VALUES ($1, $2, 'Own', 'x', 's', now(), now())`,
      [id, ulid()],
    );
    const refused = await app.call('PATCH', '/api/v1/iam/me', { firstName: 'Mallory' }, { token });
    expect(refused).toMatchObject({ status: 401, body: { missing: ['own_proof'] } });
  });
});
