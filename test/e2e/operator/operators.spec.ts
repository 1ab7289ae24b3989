import { OperatorService } from '../../../src/iam/index.js';
import type { OperatorRole } from '../../../src/kernel/index.js';
import { byTwoFactors, signedAs } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const OPERATORS = '/api/v1/operator/operators';
const REMOVE = 'platform:operator:remove';
const ELEVEN_MINUTES_MS = 660_000;

interface Operator {
  readonly userId: string;
  readonly role: OperatorRole;
  readonly scopes: string[] | null;
}

describe('Operators', () => {
  const app = withApp();
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
    await app.command('operator:grant', '--account', support.email, '--role', 'admin');
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

  describe('with permissions of their own', () => {
    const PEOPLE = '/api/v1/operator/people';
    const set = (token: string, id: string, role: string, scopes?: readonly string[] | null) =>
      app.call('PUT', `${OPERATORS}/${id}`, { role, ...(scopes !== undefined && { scopes }) }, { token });
    const permissions = async (token: string) =>
      itemsOf<{ scope: string; role: OperatorRole; title: string; group: string }>(
        await app.get('/api/v1/operator/permissions', token),
      );

    it('hold each alone, and no more', async () => {
      const [admin, other] = [await signUp('admin'), await signUp('admin')];
      const all = (await permissions(admin.token)).map(({ scope }) => scope);
      expect(all).toEqual(expect.arrayContaining(['platform:person:erase', 'iam:satellite:create']));
      const asked = [...all, 'platform:operator:create', 'platform:operator:update', REMOVE];
      const held = async () => {
        const { body } = await app.call('POST', '/api/auth/can', { scopes: asked }, { token: other.token });
        return asked.filter((scope) => (body[scope] as unknown as { allowed: boolean }).allowed);
      };
      const holds = (what: string, expected: readonly string[]) =>
        eventually(`${what} is held, and no more`, async () => (await held()).join() === expected.join());
      await holds('everything', asked);
      for (const scope of all) {
        expect((await set(admin.token, other.id, 'admin', [scope])).status).toBe(200);
        await holds(scope, [scope]);
      }
      expect((await set(admin.token, other.id, 'admin', null)).body).toMatchObject({ scopes: null });
      await holds('everything', asked);
    });

    it('keep the restriction where a change does not say what becomes of it', async () => {
      const [admin, other] = [await signUp('admin'), await signUp('admin')];
      const scopes = ['platform:person:read'];
      expect((await set(admin.token, other.id, 'admin', scopes)).status).toBe(200);
      expect(await set(admin.token, other.id, 'admin')).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'scopes' }] },
      });
      const kept = (await listed(admin.token)).find(({ userId }) => userId === other.id);
      expect(kept?.scopes).toEqual(scopes);
    });

    it('are judged alike by command and permission check, at once', async () => {
      const [admin, other, person] = [await signUp('admin'), await signUp('admin'), await Person.signUp(app)];
      const scopes = ['platform:person:suspend', 'platform:person:read', 'platform:person:read'];
      expect(await set(admin.token, other.id, 'admin', scopes)).toMatchObject({
        status: 200,
        body: { userId: other.id, role: 'admin', scopes: scopes.slice(0, 2).toSorted() },
      });
      const act = (what: string) =>
        app.call('POST', `${PEOPLE}/${person.id}/${what}`, undefined, { token: other.token });
      const subject = `gatehouse:///platform/people/${person.id}`;
      const probed = async (what: string) => {
        const scope = `platform:person:${what}`;
        const body = { subject, scopes: [scope] };
        return (await app.call('POST', '/api/auth/can', body, { token: other.token })).body[scope];
      };
      await eventually(
        'the restriction counts',
        async () => (await app.get(OPERATORS, other.token)).status === 403,
      );
      expect((await app.get(`${PEOPLE}/${person.id}`, other.token)).status).toBe(200);
      expect(await probed('suspend')).toMatchObject({ allowed: true });
      expect((await act('suspend')).status).toBe(204);
      for (const what of ['restore', 'end-sessions']) {
        expect(await probed(what)).toMatchObject({ allowed: false, code: 'scope_not_held' });
        expect(await act(what)).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
      }
      const restricted = (await listed(admin.token)).find(({ userId }) => userId === other.id);
      expect(restricted?.scopes).toEqual(scopes.slice(0, 2).toSorted());
      const trail = await app.sql<{ id: string }>(
        "SELECT account_id AS id FROM audit_events WHERE subject = $1 AND action = 'account.operator-changed'",
        [`iam/accounts/${other.id}`],
      );
      expect(trail.map(({ id }) => id).toSorted()).toEqual([admin.id, other.id].toSorted());
    });

    it('get none that the role does not have, or that changes operators', async () => {
      const [admin, person] = [await signUp('admin'), await Person.signUp(app)];
      for (const [role, scope, reason] of [
        ['support', 'platform:person:suspend', 'The role does not have this permission.'],
        ['admin', 'iam:member:read', 'The role does not have this permission.'],
        ['admin', 'platform:person:fly', 'The role does not have this permission.'],
        ['admin', 'platform:operator:create', 'Only admins without restrictions have this permission.'],
        ['admin', 'platform:operator:update', 'Only admins without restrictions have this permission.'],
        ['admin', REMOVE, 'Only admins without restrictions have this permission.'],
      ] as const) {
        const scopes = ['platform:person:read', scope];
        const body = { email: person.email, role, scopes };
        for (const refused of [
          await app.call('POST', OPERATORS, body, { token: admin.token }),
          await set(admin.token, admin.id, role, scopes),
        ])
          expect(refused.status === 403 ? refused.body['code'] : refused.body['violations']).toEqual(
            refused.status === 403 ? 'state_forbids' : [{ propertyPath: 'scopes[1]', message: reason }],
          );
      }
      const made = { email: person.email, role: 'support', scopes: ['platform:person:read'] };
      expect(await app.call('POST', OPERATORS, made, { token: admin.token })).toMatchObject({
        status: 201,
        body: { scopes: ['platform:person:read'] },
      });
    });

    it('leave one admin without any, also when two restrict each other at once', async () => {
      const [first, second] = [await signUp('admin'), await signUp('admin')];
      const restrict = (by: typeof first, of: typeof first) =>
        set(by.token, of.id, 'admin', ['platform:person:read']);
      const answers = await Promise.all([restrict(first, second), restrict(second, first)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      const whole = await app.sql<{ id: string }>(
        "SELECT account_id AS id FROM operators WHERE role = 'admin' AND scopes IS NULL",
      );
      expect(whole).toHaveLength(1);
      const last = [first, second].find(({ id }) => id === whole[0]?.id);
      const refused = await restrict(last!, last!);
      expect(refused).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
      expect(await probe(last!.token, 'platform:operator:update', last!.id)).toMatchObject({
        code: 'state_forbids',
        reason: refused.body['detail'],
      });
      expect(await remove(last!.token, last!.id)).toMatchObject({ status: 403 });
    });

    it('are given by the command line too', async () => {
      const person = await Person.signUp(app);
      const grant = ['operator:grant', '--account', person.email, '--role', 'support'];
      const scopes = ['platform:person:read'];
      expect(await app.command(...grant, '--scope', ...scopes)).toMatchObject({ role: 'support', scopes });
      expect(((await app.command('operator:list')) as { items: object[] }).items).toMatchObject([{ scopes }]);
      await expect(app.command(...grant, '--scope', 'platform:person:erase')).rejects.toThrow(/scopes/);
      expect(await app.command(...grant)).toMatchObject({ scopes: null });
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
