import { OperatorService } from '../../src/iam/index.js';
import type { OperatorRole } from '../../src/kernel/index.js';
import { byTwoFactors, signedAs } from '../support/factors.js';
import { Person } from '../support/organization.js';
import { eventually, itemsOf, TestApp } from '../support/test-app.js';

const OPERATORS = '/api/v1/operator/operators';
const REMOVE = 'platform:operator:remove';
const ELEVEN_MINUTES_MS = 660_000;

interface Operator {
  readonly userId: string;
  readonly role: OperatorRole;
}

describe('Operators', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(() => app.sql('DELETE FROM operators'));

  const signUp = async (role: OperatorRole) => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    return { ...person, id: person.id, email: person.email, token: byTwoFactors(app, person.token) };
  };
  const add = (token: string, email: string, role: string) =>
    app.call('POST', OPERATORS, { email, role }, { token });
  const remove = (token: string, id: string) =>
    app.call('DELETE', `${OPERATORS}/${id}`, undefined, { token });
  const probe = async (token: string, scope: string, id: string) => {
    const body = { subject: `gatehouse:///platform/operators/${id}`, scopes: [scope] };
    return (await app.call('POST', '/api/auth/can', body, { token })).body[scope];
  };
  const listed = async (token: string) => itemsOf<Operator>(await app.get(OPERATORS, token));

  it('are made, listed and removed by an admin, and both trails have it', async () => {
    const admin = await signUp('admin');
    const person = await Person.signUp(app);
    expect(await add(admin.token, person.email, 'support')).toMatchObject({
      status: 201,
      body: { userId: person.id, role: 'support', email: person.email },
    });
    expect(await add(admin.token, person.email, 'admin')).toMatchObject({ status: 409 });
    expect((await listed(admin.token)).map(({ userId, role }) => [userId, role])).toEqual(
      [
        [admin.id, 'admin'],
        [person.id, 'support'],
      ].toSorted(),
    );
    expect(await remove(admin.token, person.id)).toMatchObject({ status: 204 });
    expect(await remove(admin.token, person.id)).toMatchObject({ status: 404 });
    const events = await app.sql<{ account_id: string; action: string }>(
      'SELECT account_id, action FROM audit_events WHERE subject = $1 AND action LIKE $2 ORDER BY id',
      [`iam/accounts/${person.id}`, '%operator'],
    );
    const actors = (action: string) =>
      events.filter((event) => event.action === action).map((event) => event.account_id);
    expect(actors('account.became-operator').toSorted()).toEqual([person.id, admin.id].toSorted());
    expect(actors('account.ceased-as-operator').toSorted()).toEqual([person.id, admin.id].toSorted());
  });

  it('of the role support read, and change nothing', async () => {
    const [admin, support] = [await signUp('admin'), await signUp('support')];
    expect(await listed(support.token)).toHaveLength(2);
    for (const refused of [
      await add(support.token, admin.email, 'admin'),
      await remove(support.token, admin.id),
      await app.call(
        'POST',
        '/api/v1/iam/satellites',
        { clientId: 'shop', name: 'Shop', redirectUris: ['https://shop.example.com/'] },
        { token: support.token },
      ),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    expect((await app.get('/api/v1/iam/satellites', support.token)).status).toBe(200);
    expect(await probe(support.token, REMOVE, admin.id)).toMatchObject({ code: 'scope_not_held' });
  });

  it('lose the role at once, and a new role counts at once', async () => {
    const [admin, support] = [await signUp('admin'), await signUp('support')];
    expect((await app.get(OPERATORS, support.token)).status).toBe(200);
    await app.command('operator:grant', '--email', support.email, '--role', 'admin');
    await eventually('the new role counts', async () => {
      const verdict = (await probe(support.token, REMOVE, admin.id)) as unknown as { allowed: boolean };
      return verdict.allowed;
    });
    await remove(admin.token, support.id);
    await eventually(
      'the role is lost',
      async () => (await app.get(OPERATORS, support.token)).status === 403,
    );
  });

  it('keep their last admin, also when two remove each other at once', async () => {
    const [first, second] = [await signUp('admin'), await signUp('admin')];
    await signUp('support');
    const answers = await Promise.all([remove(first.token, second.id), remove(second.token, first.id)]);
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses[0]).toBe(204);
    expect(statuses[1]).toBe(403);
    const admins = await app.sql<{ id: string }>(
      "SELECT account_id AS id FROM operators WHERE role = 'admin'",
    );
    expect(admins).toHaveLength(1);
    const last = [first, second].find(({ id }) => id === admins[0]?.id);
    const refused = await remove(last!.token, last!.id);
    expect(refused).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    expect(await probe(last!.token, REMOVE, last!.id)).toMatchObject({
      code: 'state_forbids',
      reason: refused.body['detail'],
    });
  });

  it('need two factors of the last ten minutes, also where none of them has any', async () => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email);
    const old = new Date(Date.now() - ELEVEN_MINUTES_MS);
    const times = { authTime: new Date(), aal2Time: old, phrTime: null };
    for (const token of [person.token, signedAs(app, person.token, times)])
      expect(await app.get(OPERATORS, token)).toMatchObject({
        status: 401,
        body: { code: 'authentication_insufficient', acr: 'aal2', maxAge: 600 },
      });
    expect((await app.get(OPERATORS, byTwoFactors(app, person.token))).status).toBe(200);
  });

  it('are named by a role and the address of an account', async () => {
    const { token } = await signUp('admin');
    expect(await add(token, 'unknown@example.com', 'admin')).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'email' }] },
    });
    expect(await add(token, 'ada@example.com', 'owner')).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'role' }] },
    });
  });
});
