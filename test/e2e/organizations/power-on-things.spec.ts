import { newId } from '../../../src/kernel/index.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { byTwoFactors } from '../../support/factors.js';
import { type Member, Organization } from '../../support/organization.js';
import { hire, openStations, Station } from '../../support/station.js';
import { withApp } from '../../support/test-app.js';

const EXCEEDS = { status: 403, body: { type: '/errors/forbidden' } };

/**
 * A role on a thing, and a place on a partnership, are power as well: who could become its holder
 * must hold what it allows, or be able to give it.
 */
describe('A person with a role on a thing', () => {
  const lab = new SamlStandIn();
  let acme: Organization;
  let station: Station;
  let clerk: Member;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    acme = await Organization.found(app);
    await openStations(acme);
    station = await Station.of(acme);
    const locker = { key: 'locker', name: 'Locker', scopes: ['iam:role:delete'] };
    expect((await acme.call('POST', '/roles', locker)).status).toBe(201);
    const scopes = [
      ...[
        'read',
        'create',
        'update',
        'delete',
        'suspend',
        'reinstate',
        'reset-pin',
        'issue-badge',
        'revoke-badge',
      ].map((one) => `iam:worker:${one}`),
      ...['read', 'update', 'remove', 'suspend', 'restore'].map((one) => `iam:member:${one}`),
      ...['read', 'update'].map((one) => `iam:connection:${one}`),
      'iam:tenant:read',
    ];
    const created = await acme.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes });
    expect([created.status, created.body]).toEqual([201, expect.anything()]);
    clerk = await acme.join('clerk');
    const roles = ['clerk', 'member'];
    expect((await acme.call('PATCH', `/members/${clerk.person.id}`, { roles })).status).toBe(200);
  });

  const assign = async (userId: string) => {
    const on = `gatehouse:///logistics/shipments/${newId()}`;
    const given = await acme.call('POST', `/members/${userId}/assignments`, { role: 'locker', on });
    expect([given.status, given.body]).toEqual([201, expect.anything()]);
    return String(given.body['id']);
  };
  /** As one who holds what members hold, and what these commands take. */
  const asClerk = (method: string, path: string, body?: object) =>
    acme.call(method, path, body, byTwoFactors(app, clerk.token));

  it('gets no PIN, address, badge or other roles from who holds less', async () => {
    const { userId } = await hire(acme, station, { roles: ['member'] });
    const path = `/workers/${userId}`;
    const id = await assign(userId);
    expect(await asClerk('POST', `${path}/pin-reset`)).toMatchObject(EXCEEDS);
    expect(await asClerk('PATCH', path, { email: 'clerk@other.example' })).toMatchObject(EXCEEDS);
    expect(await asClerk('POST', `${path}/badge`, {})).toMatchObject(EXCEEDS);
    expect(await asClerk('POST', `${path}/suspend`)).toMatchObject(EXCEEDS);
    expect(await asClerk('DELETE', path)).toMatchObject(EXCEEDS);
    expect((await asClerk('DELETE', `${path}/badge`)).status).toBe(204);
    const question = { scopes: ['iam:worker:reset-pin'], subject: `gatehouse:///iam/workers/${userId}` };
    const probe = await app.call('POST', '/api/auth/can', question, {
      token: byTwoFactors(app, clerk.token),
    });
    expect(JSON.stringify(probe.body)).toContain('"allowed":false');
    expect((await acme.call('DELETE', `/members/${userId}/assignments/${id}`)).status).toBe(204);
    expect((await asClerk('POST', `${path}/pin-reset`)).status).toBe(201);
  });

  it('gets none of these while on a partnership, from who could not put people on it', async () => {
    const host = await Organization.found(app);
    const slug = `acme-${newId().toLowerCase()}`;
    await acme.call('PATCH', '', { slug });
    const offered = await host.call('POST', '/partnerships', { tenantSlug: slug, roles: ['member'] });
    const access = `/partner-access/${String(offered.body['id'])}`;
    expect((await acme.call('POST', `${access}/accept`)).status).toBe(200);
    const { userId } = await hire(acme, station, { roles: ['member'] });
    const other = await hire(acme, station, { roles: ['member'] });
    expect((await acme.call('PUT', `${access}/people/${userId}`, { roles: ['member'] })).status).toBe(200);
    const path = `/workers/${userId}`;
    expect(await asClerk('POST', `${path}/pin-reset`)).toMatchObject(EXCEEDS);
    expect(await asClerk('PATCH', path, { email: 'clerk@other.example' })).toMatchObject(EXCEEDS);
    expect(await asClerk('POST', `${path}/badge`, {})).toMatchObject(EXCEEDS);
    const reset = await asClerk('POST', `/workers/${other.userId}/pin-reset`);
    expect(reset.status).toBe(201);
    const { number } = other;
    const signIn = () => station.signIn({ number, pin: reset.body['temporaryPin'], newPin: '705319' });
    const place = `${access}/people/${other.userId}`;
    expect((await acme.call('PUT', place, { roles: ['member'] })).status).toBe(200);
    expect((await signIn()).status).toBe(401);
    expect((await acme.call('DELETE', place)).status).toBe(204);
    expect((await signIn()).status).toBe(200);
    expect((await acme.call('DELETE', `${access}/people/${userId}`)).status).toBe(204);
    expect((await asClerk('POST', `${path}/pin-reset`)).status).toBe(201);
  });

  it('is removed, suspended and restored by who holds as much', async () => {
    const { id: userId } = (await acme.join('member')).person;
    const id = await assign(userId);
    const path = `/members/${userId}`;
    expect(await asClerk('POST', `${path}/suspend`)).toMatchObject(EXCEEDS);
    expect(await asClerk('DELETE', path)).toMatchObject(EXCEEDS);
    expect((await acme.call('POST', `${path}/suspend`)).status).toBe(200);
    expect(await asClerk('POST', `${path}/restore`)).toMatchObject(EXCEEDS);
    expect((await acme.call('DELETE', `${path}/assignments/${id}`)).status).toBe(204);
    expect((await asClerk('POST', `${path}/restore`)).status).toBe(200);
  });

  it('is signed in by a connection that who holds less does not change', async () => {
    const { id: userId } = (await acme.join('member')).person;
    const connection = await LabConnection.active(acme, samlSettings(lab));
    await app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $1)`,
      [newId(), userId, connection.id, lab.issuer],
    );
    const change = () => asClerk('PATCH', `/connections/${connection.id}`, { name: 'Other' });
    expect((await change()).status).toBe(200);
    const id = await assign(userId);
    expect(await change()).toMatchObject(EXCEEDS);
    expect((await acme.call('DELETE', `/members/${userId}/assignments/${id}`)).status).toBe(204);
    expect((await change()).status).toBe(200);
  });
});
