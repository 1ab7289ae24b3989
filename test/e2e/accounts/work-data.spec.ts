import { ulid } from 'ulid';
import { Organization, Person } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';

const EXPORT = '/api/v1/iam/me/export';
const DEPOT = `freight/depots/${ulid()}`;

/** Roles on things, requests for access, partnerships, numbers and stations. */
describe('What organizations have about the work of a person', () => {
  const app = withApp();
  let person: Person;
  let employer: Organization;
  let host: Organization;
  let partnership: string;
  beforeEach(async () => {
    [employer, host] = [await Organization.found(app), await Organization.found(app)];
    ({ person } = await employer.join('member'));
    for (const one of [employer, host])
      await one.call('POST', '/roles', { key: 'driver', name: 'Driver', scopes: [] });
    const role = { role: 'driver', on: `gatehouse:///${DEPOT}` };
    await employer.call('POST', `/members/${person.id}/assignments`, role);
    const token = await person.select(employer.id);
    const request = { ...role, hours: 2, reason: 'Night shift of Grace' };
    expect((await employer.call('POST', '/access-requests', request, token)).status).toBe(201);
    const offer = await host.call('POST', '/partnerships', {
      email: employer.owner.person.email,
      roles: ['driver'],
    });
    partnership = String(offer.body['id']);
    await employer.call('POST', `/partner-access/${partnership}/accept`);
    const put = `/partner-access/${partnership}/people/${person.id}`;
    expect((await employer.call('PUT', put, { roles: ['driver'] })).status).toBe(200);
    const number = [employer.id, person.id, `K-${ulid()}`];
    await app.sql(
      'INSERT INTO workers (tenant_id, user_id, number, number_key, last_sign_in_at) VALUES ($1, $2, $3, lower($3), now())',
      number,
    );
    await app.sql(
      `INSERT INTO stations (tenant_id, id, name, idle_seconds, shift_seconds, session_id, user_id, created_by)
       VALUES ($1, $2, 'Gate 3', 300, 43200, $3, $4, $5)`,
      [employer.id, ulid(), person.sessionId, person.id, employer.owner.person.id],
    );
  });

  it('is in the export of the person', async () => {
    const id = String((await app.call('POST', EXPORT, undefined, { token: person.token })).body['id']);
    await eventually(
      'the export is ready',
      async () => (await app.get(`${EXPORT}/${id}`, person.token)).status === 200,
    );
    const { body } = await app.get(`${EXPORT}/${id}`, person.token);
    const parts = body['parts'] as unknown as { name: string; items: object[] }[];
    expect(Object.fromEntries(parts.map(({ name, items }) => [name, items]))).toMatchObject({
      assignments: [{ tenantId: employer.id, role: 'driver' }],
      'access-requests': [{ tenantId: employer.id, role: 'driver', reason: 'Night shift of Grace' }],
      partnerships: [{ tenantId: host.id, roles: ['driver'] }],
      workplaces: [{ tenantId: employer.id, stations: ['Gate 3'] }],
    });
  });

  it.each<[string, (end: { person: Person; employer: Organization }) => Promise<{ status: number }>]>([
    [
      'the account',
      (end) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: end.person.token }),
    ],
    ['the membership', (end) => end.employer.call('DELETE', `/members/${end.person.id}`)],
  ])('goes with %s', async (_, end) => {
    expect((await end({ person, employer })).status).toBeLessThan(300);
    for (const table of ['role_assignments', 'access_requests', 'partner_people', 'workers', 'stations'])
      expect([table, await app.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [person.id])]).toEqual([
        table,
        [],
      ]);
    expect((await host.call('GET', `/partnerships/${partnership}`)).body['people']).toEqual([]);
  });
});
