import { Organization, Person } from '../support/organization.js';
import { itemsOf, TestApp } from '../support/test-app.js';

const VOID = { type: '/errors/validation-error', violations: [{ propertyPath: 'token' }] };

describe('Invitations', () => {
  let app: TestApp;
  let organization: Organization;
  let counter = 0;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  const address = () => `guest-${(counter += 1)}@example.com`;
  const invite = (email: string, roles = ['member'], as?: string) =>
    organization.call('POST', '/invitations', { email, roles }, as);
  const revoke = (id: unknown) => organization.call('DELETE', `/invitations/${String(id)}`);
  const accept = (token: string, person: Person) =>
    app.post('accept-invitation', { token }, { token: person.token });
  const forbidden = (detail: string) => ({ status: 403, body: { code: 'state_forbids', detail } });

  it('are accepted by a person who registers first', async () => {
    const email = address();
    const { status, body } = await invite(email, ['member', 'admin']);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      email,
      roles: ['admin', 'member'],
      status: 'open',
      invitedBy: organization.owner.person.id,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const [mail] = await app.mails(email);
    expect(mail).toContain('Subject: You have been invited');
    expect(mail?.replace(/=\r?\n/g, '')).toContain('the organization =E2=80=9CLovelace Logistics=E2=80=9D');
    const token = await app.mailedToken(email);
    const guest = await Person.signUp(app, email);
    expect(await accept(token, guest)).toMatchObject({ status: 200, body: { tenantId: organization.id } });
    expect((await app.get(organization.path, await guest.select(organization.id))).status).toBe(200);
    expect(itemsOf(await organization.call('GET', '/invitations'))).toMatchObject([{ status: 'accepted' }]);
    expect((await accept(token, guest)).body).toMatchObject(VOID);
  });

  it('are accepted by the owner of the invited address only', async () => {
    const email = address();
    await invite(email.toUpperCase());
    const token = await app.mailedToken(email);
    const other = await Person.signUp(app);
    expect(await accept(token, other)).toMatchObject(
      forbidden('The invitation was sent to another address. Sign in with the account of that address.'),
    );
    const guest = await Person.signUp(app, email);
    expect((await accept(token, guest)).status).toBe(200);
  });

  it.each(['nonsense', 'A'.repeat(43)])('are refused for the token %s', async (token) => {
    expect((await accept(token, organization.owner.person)).body).toMatchObject(VOID);
  });

  it('can be revoked once', async () => {
    const email = address();
    const guest = await Person.signUp(app, email);
    const { body } = await invite(email);
    const token = await app.mailedToken(email, 2);
    expect((await revoke(body['id'])).status).toBe(204);
    expect(await revoke(body['id'])).toMatchObject(forbidden('The invitation has been revoked already.'));
    expect((await accept(token, guest)).body).toMatchObject(VOID);
  });

  it('cannot be revoked once accepted or expired', async () => {
    const member = await organization.join('member');
    const expired = (await invite(address())).body['id'];
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [expired]);
    const [accepted] = itemsOf<{ id: string; email: string }>(await organization.call('GET', '/invitations'));
    expect(accepted?.email).toBe(member.person.email);
    expect(await revoke(accepted?.id)).toMatchObject(forbidden('The invitation has been accepted already.'));
    expect(await revoke(expired)).toMatchObject(forbidden('The invitation has expired.'));
  });

  it('expire after seven days and can then be sent again', async () => {
    const email = address();
    const guest = await Person.signUp(app, email);
    await invite(email);
    expect(await invite(email)).toMatchObject({ status: 409, body: { type: '/errors/conflict' } });
    const token = await app.mailedToken(email, 2);
    const [row] = await app.sql<{ days: number }>(
      'SELECT extract(day FROM expires_at - created_at)::int AS days FROM invitations WHERE email_key = $1',
      [email],
    );
    expect(row?.days).toBe(7);
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE email_key = $1", [
      email,
    ]);
    expect((await accept(token, guest)).body).toMatchObject(VOID);
    expect((await invite(email)).status).toBe(201);
    expect((await accept(await app.mailedToken(email, 3), guest)).status).toBe(200);
  });

  it('are refused for members, and for roles that the inviter cannot give', async () => {
    const admin = await organization.join('admin');
    expect(await invite(admin.person.email)).toMatchObject({
      status: 409,
      body: { detail: 'This address belongs to a member already.' },
    });
    expect((await invite(address(), ['member', 'owner'], admin.token)).body).toMatchObject({
      violations: [{ propertyPath: 'roles[1]' }],
    });
    expect((await invite('not an address', [])).body).toMatchObject({
      violations: [{ propertyPath: 'email' }, { propertyPath: 'roles' }],
    });
  });

  it.each([
    ['removed', (path: string) => organization.call('DELETE', path)],
    ['demoted', (path: string) => organization.call('PATCH', path, { roles: ['member'] })],
  ])('are refused after the inviter has been %s', async (_what, fall) => {
    const admin = await organization.join('admin');
    const guest = await Person.signUp(app, address());
    expect((await invite(guest.email, ['admin'], admin.token)).status).toBe(201);
    const token = await app.mailedToken(guest.email, 2);
    await fall(`/members/${admin.person.id}`);
    expect((await accept(token, guest)).body).toMatchObject(VOID);
    expect(itemsOf(await organization.call('GET', '/members'))).not.toContainEqual(
      expect.objectContaining({ userId: guest.id }),
    );
  });

  it('are refused if their role holds more than the inviter by now', async () => {
    const clerk = { key: 'clerk', name: 'Clerk', scopes: ['iam:member:read'] };
    const role = (await organization.call('POST', '/roles', clerk)).body;
    const admin = await organization.join('admin');
    const guest = await Person.signUp(app, address());
    await invite(guest.email, ['clerk'], admin.token);
    const token = await app.mailedToken(guest.email, 2);
    await organization.call('PATCH', `/roles/${String(role['id'])}`, { scopes: ['iam:tenant:archive'] });
    expect((await accept(token, guest)).body).toMatchObject(VOID);
  });

  it('are refused while the organization is archived', async () => {
    const email = address();
    const guest = await Person.signUp(app, email);
    await invite(email);
    const token = await app.mailedToken(email, 2);
    await organization.call('POST', '/archive');
    expect(await accept(token, guest)).toMatchObject(
      forbidden('The organization is archived. Restore it first.'),
    );
    await organization.call('POST', '/restore');
    expect((await accept(token, guest)).status).toBe(200);
  });

  it.each(['Click http://evil.example now', 'Account blocked - call 0900 123456'])(
    'contain the name of the organization only if it holds no link or telephone number: %s',
    async (name) => {
      await organization.call('PATCH', '', { name });
      const email = address();
      await invite(email);
      const [mail] = await app.mails(email);
      expect(mail).not.toMatch(/evil|0900/);
      expect(mail).toContain('invited to an organization');
    },
  );

  it('are limited to ten an hour per address, whatever the sender', async () => {
    const email = address();
    for (let round = 0; round < 10; round += 1) await revoke((await invite(email)).body['id']);
    const another = await Organization.found(app);
    const refused = await another.call('POST', '/invitations', { email, roles: ['member'] });
    expect(refused).toMatchObject({ status: 429, body: { type: '/errors/too-many-requests' } });
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(itemsOf(await another.call('GET', '/invitations'))).toEqual([]);
  });

  it('are removed when the account of the address is erased', async () => {
    const email = address();
    const guest = await Person.signUp(app, email);
    await invite(email);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: guest.token });
    expect(itemsOf(await organization.call('GET', '/invitations'))).toEqual([]);
  });
});
