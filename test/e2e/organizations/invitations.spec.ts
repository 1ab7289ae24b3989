import { InvitationExpiry } from '../../../src/iam/organizations/invitations/invitation-expiry.js';
import { Organization, Person } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const VOID = { type: '/errors/validation-error', violations: [{ propertyPath: 'token' }] };

describe('Invitations', () => {
  let organization: Organization;
  let counter = 0;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

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
    expect(await invite(email)).toMatchObject({
      status: 409,
      body: { type: '/errors/conflict', detail: expect.stringMatching(/open invitation/) },
    });
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
    [
      'suspended as a person',
      (path: string) =>
        app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [path.split('/').at(-1)]),
    ],
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

  it('are refused by the roles that the inviter has now, whatever is remembered of them', async () => {
    const admin = await organization.join('admin');
    const guest = await Person.signUp(app, address());
    await invite(guest.email, ['member'], admin.token);
    const token = await app.mailedToken(guest.email, 2);
    // Without the announcement that tells replicas of it.
    await app.sql('DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = $2', [
      organization.id,
      admin.person.id,
    ]);
    expect((await accept(token, guest)).body).toMatchObject(VOID);
  });

  it('are refused once the inviter cannot invite any more, whatever is remembered of them', async () => {
    const admin = await organization.join('admin', 'member');
    const guest = await Person.signUp(app, address());
    await invite(guest.email, ['member'], admin.token);
    const token = await app.mailedToken(guest.email, 2);
    // Without the announcement. The inviter could still give the role of a member.
    await app.sql(
      `DELETE FROM member_roles mr USING roles r WHERE mr.tenant_id = $1 AND mr.user_id = $2
         AND r.tenant_id = mr.tenant_id AND r.id = mr.role_id AND r.key = 'admin'`,
      [organization.id, admin.person.id],
    );
    expect((await accept(token, guest)).body).toMatchObject(VOID);
  });

  it('tell readers of events that they have expired, once', async () => {
    const email = address();
    const { body } = await invite(email);
    const { body: revoked } = await invite(address());
    await revoke(revoked['id']);
    await organization.join('member');
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE tenant_id = $1", [
      organization.id,
    ]);
    const expiry = app.app.get(InvitationExpiry, { strict: false });
    await expiry.noteExpired();
    await expiry.noteExpired();
    expect(
      await app.sql(
        "SELECT tenant_ids, actor_id, data FROM events WHERE tenant_ids = ARRAY[$1] AND type = 'iam.invitation.expired'",
        [organization.id],
      ),
    ).toEqual([
      { tenant_ids: [organization.id], actor_id: null, data: { invitationId: String(body['id']) } },
    ]);
  });

  it('tell of more expired ones than one transaction takes, in the next one', async () => {
    await app.sql(
      `INSERT INTO invitations (tenant_id, id, email, email_key, role_ids, token_hash, invited_by, expires_at)
       SELECT $1, 'I' || lpad(n::text, 25, '0'), n || '@example.com', n || '@example.com', '{}', sha256(n::text::bytea), $2, now()
       FROM generate_series(1, 201) n`,
      [organization.id, organization.owner.person.id],
    );
    const expiry = app.app.get(InvitationExpiry, { strict: false });
    expect([await expiry.noteExpired(), await expiry.noteExpired()]).toEqual([true, false]);
  });

  it('are sent again only by who holds all that their role holds', async () => {
    const scopes = ['iam:invitation:read', 'iam:invitation:create', 'iam:invitation:resend'];
    await organization.call('POST', '/roles', { key: 'sender', name: 'Sender', scopes });
    const sender = await organization.join('sender');
    const resend = async (role: string) => {
      const { body } = await invite(address(), [role]);
      const path = `/invitations/${String(body['id'])}/resend`;
      return (await organization.call('POST', path, undefined, sender.token)).status;
    };
    expect(await resend('sender')).toBe(202);
    expect(await resend('admin')).toBe(403);
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

  describe('sent again', () => {
    const resend = (id: unknown, as?: string) =>
      organization.call('POST', `/invitations/${String(id)}/resend`, undefined, as);

    it('have a new link and a new lifetime, and the old link is void', async () => {
      const email = address();
      const guest = await Person.signUp(app, email);
      const { body } = await invite(email);
      const old = await app.mailedToken(email, 2);
      await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [
        body['id'],
      ]);
      const answer = await resend(body['id']);
      expect(answer).toMatchObject({ status: 202, body: { id: body['id'], email, status: 'open' } });
      expect(Date.parse(String(answer.body['expiresAt']))).toBeGreaterThan(Date.now() + 6 * 86_400_000);
      const token = await app.mailedToken(email, 3);
      expect(token).not.toBe(old);
      expect((await accept(old, guest)).body).toMatchObject(VOID);
      expect((await accept(token, guest)).status).toBe(200);
      expect(await resend(body['id'])).toMatchObject(forbidden('The invitation has been accepted already.'));
      const events = await app.sql('SELECT action FROM audit_events WHERE subject = $1 ORDER BY id', [
        `iam/invitations/${String(body['id'])}`,
      ]);
      expect(events.map(({ action }) => action)).toEqual([
        'invitation.created',
        'invitation.resent',
        'invitation.accepted',
      ]);
    });

    it('are those of the member who sent them again', async () => {
      const [first, second] = [await organization.join('admin'), await organization.join('admin')];
      const guest = await Person.signUp(app, address());
      const { body } = await invite(guest.email, ['member'], first.token);
      expect((await resend(body['id'], second.token)).body).toMatchObject({ invitedBy: second.person.id });
      await organization.call('DELETE', `/members/${first.person.id}`);
      expect((await accept(await app.mailedToken(guest.email, 3), guest)).status).toBe(200);
    });

    it('need what their roles hold: an admin does not send those to owners', async () => {
      const admin = await organization.join('admin');
      const owners = (await invite(address(), ['owner'])).body['id'];
      expect(await resend(owners, admin.token)).toMatchObject(forbidden('Only an owner can make an owner.'));
      const keeper = { key: 'keeper', name: 'Keeper', scopes: ['iam:tenant:archive'] };
      await organization.call('POST', '/roles', keeper);
      const keepers = (await invite(address(), ['keeper'])).body['id'];
      expect(await resend(keepers, admin.token)).toMatchObject(
        forbidden(
          'The invitation gives permissions that you do not hold yourself. Ask a member who holds them.',
        ),
      );
      const member = await organization.join('member');
      expect((await resend(owners, member.token)).body).toMatchObject({ code: 'scope_not_held' });
      expect((await resend(owners)).status).toBe(202);
    });

    it('are refused without their role, once revoked, and for a member', async () => {
      const clerk = { key: 'clerk', name: 'Clerk', scopes: ['iam:member:read'] };
      const role = (await organization.call('POST', '/roles', clerk)).body;
      const expired = (await invite(address(), ['clerk'])).body['id'];
      await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [
        expired,
      ]);
      expect((await organization.call('DELETE', `/roles/${String(role['id'])}`)).status).toBe(204);
      expect(await resend(expired)).toMatchObject(
        forbidden('A role of the invitation has been deleted. Invite the address again with other roles.'),
      );
      const revoked = (await invite(address())).body['id'];
      await revoke(revoked);
      expect(await resend(revoked)).toMatchObject(forbidden('The invitation has been revoked already.'));
      const guest = await Person.signUp(app, address());
      const open = (await invite(guest.email)).body['id'];
      await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [organization.id, guest.id]);
      expect(await resend(open)).toMatchObject({
        status: 409,
        body: { detail: 'This address belongs to a member already.' },
      });
    });

    it('count to the limit of their address, and a refused one leaves the link as it is', async () => {
      const email = address();
      const guest = await Person.signUp(app, email);
      const { body } = await invite(email);
      for (let round = 0; round < 9; round += 1) expect((await resend(body['id'])).status).toBe(202);
      const token = await app.mailedToken(email, 11);
      expect(await resend(body['id'])).toMatchObject({ status: 429 });
      expect((await accept(token, guest)).status).toBe(200);
    });
  });

  it('are listed by status, address and time', async () => {
    const emails = ['zoe@x.example', 'ada@x.example', 'adam@x.example', 'a_d@x.example'];
    const ids: unknown[] = [];
    for (const email of emails) ids.push((await invite(email)).body['id']);
    await revoke(ids[0]);
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [ids[1]]);
    await app.sql('UPDATE invitations SET accepted_at = now() WHERE id = $1', [ids[2]]);
    const list = async (query: string) => {
      const answer = await organization.call('GET', `/invitations?${query}`);
      return {
        total: answer.body['total'],
        emails: itemsOf<{ email: string }>(answer).map(({ email }) => email),
      };
    };
    const [zoe, ada, adam, ad] = emails;
    expect(await list('')).toEqual({ total: 4, emails });
    expect(await list('status=revoked')).toEqual({ total: 1, emails: [zoe] });
    expect(await list('status=expired')).toEqual({ total: 1, emails: [ada] });
    expect(await list('status=accepted')).toEqual({ total: 1, emails: [adam] });
    expect(await list('status=open')).toEqual({ total: 1, emails: [ad] });
    expect(await list('query=ADA')).toEqual({ total: 2, emails: [ada, adam] });
    expect(await list(`query=da@x.example`)).toEqual({ total: 1, emails: [ada] });
    expect(await list('query=a_')).toEqual({ total: 1, emails: [ad] });
    expect(await list('query=ada&status=expired')).toEqual({ total: 1, emails: [ada] });
    expect(await list('sort=-createdAt')).toEqual({ total: 4, emails: [...emails].reverse() });
    expect(await list('sort=email')).toEqual({ total: 4, emails: [ad, ada, adam, zoe] });
    const first = await organization.call('GET', '/invitations?sort=email&limit=1');
    const cursor = String(first.body['nextCursor']);
    expect((await list(`sort=email&limit=2&cursor=${cursor}`)).emails).toEqual([ada, adam]);
    expect(await organization.call('GET', '/invitations?status=lost')).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'status' }] },
    });
  });
});
