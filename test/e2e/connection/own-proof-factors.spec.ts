import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { ceremonyOf, TestPasskey, TestTotp } from '../../support/factors.js';
import { Organization } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';

/**
 * What the administrator of one organization's provider can do to the factors of the person, and of
 * another organization: only a connection has vouched for each session here.
 */
describe('Factors in a session that only a connection has vouched for', () => {
  const lab = new SamlStandIn();
  let app: TestApp;
  let ofA: LabConnection;
  let ofB: LabConnection;
  let b: Organization;
  beforeAll(async () => {
    app = await TestApp.start({ PORTAL: 'off' });
    ofA = await LabConnection.active(await Organization.found(app), samlSettings(lab));
    await ofA.call('PATCH', '', { provisioning: { justInTime: true } });
    b = await Organization.found(app);
    ofB = await LabConnection.active(b, samlSettings(lab));
  });
  afterAll(() => app.stop());

  const signIn = async (subject: string, connection: LabConnection) => {
    const words = { attributes: { email: `${subject}@${ofA.domain}` } };
    const { fragment } = await connection.bring(lab.answer(await connection.start(), subject, { words }));
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

  /** A person who has an app that counts in A, and one of their own without recovery codes. */
  const withBoth = async () => {
    const person = await employee();
    const ofOrganization = await TestTotp.enrol(app, person.token);
    const { body } = await app.post(
      'step-up',
      { method: 'totp', code: ofOrganization.next() },
      { token: person.token },
    );
    await app.sql(
      `INSERT INTO totp_authenticators (account_id, id, name, sealed_secret, session_id, confirmed_at, last_step, failures)
       SELECT account_id, $2, 'Own', sealed_secret, session_id, now(), 9007199254740991, 99 FROM totp_authenticators WHERE account_id = $1`,
      [person.id, ulid()],
    );
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
    expect(await ownApp(id)).toEqual({ failures: 99, blocked: false });
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
    expect(await ownApp(id)).toEqual({ failures: 99, blocked: true });
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
