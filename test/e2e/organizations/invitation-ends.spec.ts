import { ulid } from 'ulid';
import { OperatorService } from '../../../src/iam/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { ScimDirectory, verifyDomain } from '../../support/scim-directory.js';
import { type Answer, itemsOf, withApp } from '../../support/test-app.js';

const IAM = '/api/v1/iam';

describe('An open invitation', () => {
  const lab = new SamlStandIn();
  let organization: Organization;
  let operator: string;
  const app = withApp({ RATE_WRITE: 'off', RATE_REGISTER: 'off' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    const admin = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(admin.email, 'admin');
    operator = byTwoFactors(app, admin.token);
  });

  const newAddress = (domain = 'example.com') => `${ulid().toLowerCase()}@${domain}`;
  /** Invites an address as an admin. */
  const invite = async (email: string) => {
    const { length: mailed } = await app.mails(email, 0);
    const { status, body } = await organization.call('POST', '/invitations', { email, roles: ['admin'] });
    expect(status).toBe(201);
    return { id: String(body['id']), token: await app.mailedToken(email, mailed + 1) };
  };
  const statusOf = async (id: string) =>
    (await organization.call('GET', `/invitations/${id}`)).body['status'];
  const eventsOf = async (id: string) =>
    (
      await app.sql<{ action: string }>('SELECT action FROM audit_events WHERE subject = $1 ORDER BY id', [
        `iam/invitations/${id}`,
      ])
    ).map(({ action }) => action);
  const isMember = async (userId: string) =>
    (await app.sql('SELECT 1 FROM members WHERE tenant_id = $1 AND user_id = $2', [organization.id, userId]))
      .length === 1;
  const accept = ({ token }: { token: string }, person: { token: string }): Promise<Answer> =>
    app.post('accept-invitation', { token }, { token: person.token });
  const bringIn = (email: string) =>
    fetch(`${app.url}/api/v1/operator/imports`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson', Authorization: `Bearer ${operator}` },
      body: JSON.stringify({
        externalId: email,
        email,
        emailVerified: true,
        memberships: [{ tenantId: organization.id, roles: ['member'] }],
      }),
    });

  describe('ends with the beginning of a membership', () => {
    const ways: Record<string, (email: string, connection: LabConnection) => Promise<unknown>> = {
      'by an import': (email) => bringIn(email),
      'by a connection': async (email, connection) => {
        const provisioning = { justInTime: true };
        expect((await connection.call('PATCH', '', { provisioning })).status).toBe(200);
        const words = { attributes: { email } };
        return connection.bring(lab.answer(await connection.start(), ulid(), { words }));
      },
      'by a rule of a connection': async (email, connection) => {
        const rule = { attribute: 'groups', operator: 'equals', value: 'Sales', roles: ['admin'] };
        expect((await connection.call('PUT', '/rules', { items: [rule] })).status).toBe(200);
        const words = { attributes: { email, groups: 'Sales' } };
        return connection.bring(lab.answer(await connection.start(), ulid(), { words }));
      },
      'by a directory that makes the account': async (email) => {
        const directory = await ScimDirectory.create(organization);
        return directory.create(email);
      },
    };
    let connection: LabConnection;
    beforeAll(async () => {
      connection = await LabConnection.active(organization, samlSettings(lab));
    });

    it.each(Object.keys(ways))('%s', async (way) => {
      const email = newAddress(connection.domain);
      const invitation = await invite(email);
      await ways[way]?.(email, connection);
      const [account] = await app.sql<{ id: string }>('SELECT id FROM accounts WHERE email_key = $1', [
        email,
      ]);
      expect(await isMember(account?.id ?? '')).toBe(true);
      expect(await statusOf(invitation.id)).toBe('revoked');
      expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.revoked']);
    });

    it('by a directory that finds the account', async () => {
      const domain = `${ulid().toLowerCase()}.example`;
      await verifyDomain(organization, domain);
      const person = await Person.signUp(app, newAddress(domain));
      const invitation = await invite(person.email);
      await (await ScimDirectory.create(organization)).create(person.email);
      expect(await isMember(person.id)).toBe(true);
      expect(await statusOf(invitation.id)).toBe('revoked');
      expect(await accept(invitation, person)).toMatchObject({ status: 400 });
    });

    it('by its acceptance, which revokes nothing', async () => {
      const person = await Person.signUp(app);
      const invitation = await invite(person.email);
      expect((await accept(invitation, person)).status).toBe(200);
      expect(await statusOf(invitation.id)).toBe('accepted');
      expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.accepted']);
    });

    it('also if it is sent concurrently', async () => {
      for (let round = 0; round < 4; round += 1) {
        const email = newAddress();
        await Promise.all([
          bringIn(email),
          organization.call('POST', '/invitations', { email, roles: ['admin'] }),
        ]);
        const open = await organization.call('GET', `/invitations?query=${email}&status=open`);
        expect(itemsOf(open)).toEqual([]);
      }
    });
  });

  describe('ends with the end of a membership', () => {
    /** Returns a member whose present address was invited when it was another's. */
    const invitedMember = async () => {
      const email = newAddress();
      const invitation = await invite(email);
      const member = await organization.join('member');
      await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [
        member.person.id,
        email,
      ]);
      return { ...member, invitation };
    };
    type Invited = Awaited<ReturnType<typeof invitedMember>>;
    const remove = ({ person }: Invited) => organization.call('DELETE', `/members/${person.id}`);
    const ways: Record<string, (member: Invited) => Promise<unknown>> = {
      'by an administrator': remove,
      'by leaving': ({ token }) => organization.call('POST', '/leave', undefined, token),
      'by leaving from outside': ({ person }) =>
        app.call('DELETE', `${IAM}/me/tenants/${organization.id}`, undefined, { token: person.token }),
      'by a directory': async ({ person }) => {
        const directory = await ScimDirectory.create(organization);
        const domain = `${ulid().toLowerCase()}.example`;
        await verifyDomain(organization, domain);
        const [{ email } = { email: '' }] = await app.sql<{ email: string }>(
          'SELECT email FROM accounts WHERE id = $1',
          [person.id],
        );
        const known = newAddress(domain);
        const rename = (to: string) =>
          app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [person.id, to]);
        await rename(known);
        const id = await directory.create(known);
        await rename(email);
        return directory.call('DELETE', `/Users/${id}`);
      },
    };

    it.each(Object.keys(ways))('%s', async (way) => {
      const member = await invitedMember();
      await ways[way]?.(member);
      expect(await isMember(member.person.id)).toBe(false);
      expect(await statusOf(member.invitation.id)).toBe('revoked');
      expect(await accept(member.invitation, member.person)).toMatchObject({ status: 400 });
      expect(await isMember(member.person.id)).toBe(false);
    });

    it('also if it is accepted concurrently', async () => {
      for (let round = 0; round < 6; round += 1) {
        const member = await invitedMember();
        const [removed] = await Promise.all([remove(member), accept(member.invitation, member.person)]);
        expect(removed.status).toBe(204);
        expect(await isMember(member.person.id)).toBe(false);
      }
    });

    it('and lets a person back whom an administrator invites again', async () => {
      const { person } = await organization.join('member');
      expect((await organization.call('DELETE', `/members/${person.id}`)).status).toBe(204);
      expect(await organization.admit(person, 'member')).toEqual(expect.any(String));
    });
  });
});
