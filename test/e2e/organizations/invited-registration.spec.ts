import { Organization, Person } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const PASSWORD = 'quiet-harbour-42';
const VOID = {
  status: 400,
  body: { type: '/errors/validation-error', violations: [{ propertyPath: 'token' }] },
};

describe('The registration by an invitation', () => {
  let organization: Organization;
  let counter = 0;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const address = () => `invited-${(counter += 1)}@example.com`;
  const invite = async (email: string, roles = ['member']): Promise<string> => {
    await organization.call('POST', '/invitations', { email, roles });
    return app.mailedToken(email);
  };
  const register = (token: string, fields: object = { password: PASSWORD }) =>
    app.post('register-invited', { token, firstName: 'Grace', ...fields });
  const accountsOf = async (email: string) =>
    (await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).length;

  it('creates the account, joins the organization and signs in by one mail', async () => {
    const email = address();
    const token = await invite(email, ['admin']);
    const { status, body } = await register(token, {
      password: PASSWORD,
      lastName: 'Hopper',
      displayName: 'Amazing Grace',
      marketingOptIn: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ tokenType: 'Bearer', tenantId: null, joinedTenantId: organization.id });
    const me = await app.get('/api/v1/iam/me', String(body['accessToken']));
    expect(me.body).toMatchObject({ email, lastName: 'Hopper', displayName: 'Amazing Grace' });
    const selected = await app.post(
      'select-tenant',
      { tenantId: organization.id },
      { token: String(body['accessToken']) },
    );
    expect((await app.get(organization.path, String(selected.body['accessToken']))).status).toBe(200);
    expect(itemsOf(await organization.call('GET', '/invitations'))).toMatchObject([{ status: 'accepted' }]);
    const members = itemsOf(await organization.call('GET', '/members'));
    expect(members).toContainEqual(expect.objectContaining({ email, roles: ['admin'] }));
    expect(await app.mails(email)).toHaveLength(1);
    expect((await app.login({ email, password: PASSWORD })).accessToken).toBeDefined();
  });

  it('says in the session that a mailed proof began it', async () => {
    const { body } = await register(await invite(address()));
    const [, claims = ''] = String(body['accessToken']).split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      amr: ['otp'],
      acr: 'aal1',
    });
  });

  it('works without a password, for a person who adds a passkey next', async () => {
    const email = address();
    const { status, body } = await register(await invite(email), {});
    expect(status).toBe(200);
    const token = String(body['accessToken']);
    const options = await app.call('POST', '/api/v1/iam/me/authenticators/passkeys/options', {}, { token });
    expect(options.status).toBe(200);
    expect((await app.post('login', { email, password: PASSWORD })).status).toBe(401);
  });

  it('works once', async () => {
    const token = await invite(address());
    expect((await register(token)).status).toBe(200);
    expect(await register(token)).toMatchObject(VOID);
  });

  it('happens once when it is sent twice at the same time', async () => {
    const email = address();
    const token = await invite(email);
    const answers = await Promise.all([register(token), register(token), register(token)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect(await accountsOf(email)).toBe(1);
  });

  it.each(['nonsense', 'A'.repeat(43)])('is refused for the token %s', async (token) => {
    expect(await register(token)).toMatchObject(VOID);
  });

  it('is refused once the invitation is revoked or expired, and creates no account', async () => {
    const [revoked, expired] = [address(), address()];
    const tokens = [await invite(revoked), await invite(expired)];
    await app.sql('UPDATE invitations SET revoked_at = now() WHERE email_key = $1', [revoked]);
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE email_key = $1", [
      expired,
    ]);
    for (const token of tokens) expect(await register(token)).toMatchObject(VOID);
    expect(await accountsOf(revoked)).toBe(0);
  });

  it('starts no session of an account that exists', async () => {
    const person = await Person.signUp(app);
    await organization.call('POST', '/invitations', { email: person.email, roles: ['member'] });
    const token = await app.mailedToken(person.email, 2);
    expect(await register(token)).toMatchObject({
      status: 409,
      body: { detail: 'This address has an account. Sign in to accept the invitation.' },
    });
    expect((await app.post('accept-invitation', { token }, { token: person.token })).status).toBe(200);
  });

  it('is refused in an archived organization', async () => {
    const token = await invite(address());
    expect((await organization.call('POST', '/archive')).status).toBeLessThan(300);
    expect(await register(token)).toMatchObject({ status: 403 });
  });

  it('is refused if the inviting member could not invite any more', async () => {
    const admin = await organization.join('admin');
    const email = address();
    await organization.call('POST', '/invitations', { email, roles: ['member'] }, admin.token);
    const token = await app.mailedToken(email);
    await organization.call('PATCH', `/members/${admin.person.id}`, { roles: ['member'] });
    expect(await register(token)).toMatchObject(VOID);
  });

  it('removes registrations of the address with their passwords', async () => {
    const email = address();
    await app.post('register', { email, password: 'planted-harbour-9', firstName: 'Mallory' });
    const planted = await app.mailedToken(email);
    await organization.call('POST', '/invitations', { email, roles: ['member'] });
    const token = await app.mailedToken(email, 2);
    expect((await register(token)).status).toBe(200);
    expect((await app.post('verify-email', { token: planted })).status).toBe(400);
    expect((await app.post('login', { email, password: 'planted-harbour-9' })).status).toBe(401);
  });

  it('refuses a short password before it uses the invitation', async () => {
    const token = await invite(address());
    expect(await register(token, { password: 'short' })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'password' }] },
    });
    expect((await register(token)).status).toBe(200);
  });
});
