import { inTurnBehind } from '../../support/locks.js';
import { roundsOf } from '../../support/long.js';
import { Organization, Person, type Member } from '../../support/organization.js';
import { itemsOf, type Answer, withApp } from '../../support/test-app.js';

const ROUNDS = roundsOf({ short: 5, long: 25 });
const FEW_ROUNDS = roundsOf({ short: 3, long: 10 });

describe('Concurrent changes of an organization', () => {
  let organization: Organization;
  let counter = 0;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const invite = (roles = ['member'], to = organization) =>
    to.call('POST', '/invitations', { email: `race-${(counter += 1)}@example.com`, roles });
  const give = (member: Member, roles: string[], as?: string) =>
    organization.call('PATCH', `/members/${member.person.id}`, { roles }, as);
  const codeOf = ({ status, body }: Answer) => (status < 300 ? 'done' : String(body['code']));

  /** The guard reads the state before the change that is not committed, the command must not. */
  const duringChange = (change: string, parameters: unknown[], ...requests: (() => Promise<Answer>)[]) =>
    inTurnBehind<Answer[]>(app, [change, ...parameters], ...requests);

  it('demote one of two owners who demote each other', async () => {
    const [one, two] = [await organization.join('owner'), await organization.join('owner')];
    await give(organization.owner, ['member'], one.token);
    const both = [one, two];
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all([give(two, ['admin'], one.token), give(one, ['admin'], two.token)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      const demoted = both[answers[0]?.status === 200 ? 1 : 0];
      const remaining = both[answers[0]?.status === 200 ? 0 : 1];
      const owners = itemsOf<{ roles: string[] }>(
        await organization.call('GET', '/members', undefined, one.token),
      ).filter(({ roles }) => roles.includes('owner'));
      expect(owners).toHaveLength(1);
      if (demoted && remaining) expect((await give(demoted, ['owner'], remaining.token)).status).toBe(200);
    }
    await give(organization.owner, ['owner'], one.token);
  });

  it('keep one of two owners who leave', async () => {
    for (let round = 0; round < FEW_ROUNDS; round += 1) {
      const fresh = await Organization.found(app);
      const second = await fresh.join('owner');
      const leave = ({ person, token }: Member) =>
        fresh.call('DELETE', `/members/${person.id}`, undefined, token);
      const answers = await Promise.all([leave(fresh.owner), leave(second)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403]);
    }
  });

  it('create no invitation in an organization that is being archived', async () => {
    const doomed = await Organization.found(app); // separate: its changes by SQL invalidate no cache
    const [answer] = await duringChange(
      'UPDATE tenants SET archived_at = now() WHERE id = $1',
      [doomed.id],
      () => invite(['member'], doomed),
    );
    expect(answer).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
  });

  it('report the actual result to an archiving and an inviting caller', async () => {
    const before = itemsOf(await organization.call('GET', '/invitations?limit=100')).length;
    const outcomes: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [archived, invited] = await Promise.all([organization.call('POST', '/archive'), invite()]);
      expect(archived.status).toBe(200);
      outcomes.push(codeOf(invited));
      expect((await organization.call('POST', '/restore')).status).toBe(200);
    }
    const after = itemsOf(await organization.call('GET', '/invitations?limit=100')).length;
    expect(after - before).toBe(outcomes.filter((outcome) => outcome === 'done').length);
    expect(outcomes.every((outcome) => ['done', 'state_forbids'].includes(outcome))).toBe(true);
  });

  it('do not delete a role that is being given', async () => {
    const member = await organization.join('member');
    const { body } = await organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [] });
    const [answer] = await duringChange(
      `WITH held AS (SELECT id FROM tenants WHERE id = $1 FOR UPDATE)
       INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT id, $2, $3 FROM held`,
      [organization.id, member.person.id, body['id']],
      () => organization.call('DELETE', `/roles/${String(body['id'])}`),
    );
    expect(answer).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
  });

  it('either give or delete a role', async () => {
    const member = await organization.join('member');
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = `role-${round}`;
      const { body } = await organization.call('POST', '/roles', { key, name: 'Role', scopes: [] });
      const [given, deleted] = await Promise.all([
        give(member, ['member', key]),
        organization.call('DELETE', `/roles/${String(body['id'])}`),
      ]);
      expect([
        [200, 403],
        [400, 204],
      ]).toContainEqual([given.status, deleted.status]);
    }
  });

  it('accept an invitation once of twenty requests', async () => {
    for (let round = 0; round < FEW_ROUNDS; round += 1) {
      const guest = await Person.signUp(app);
      await organization.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
      const token = await app.mailedToken(guest.email, 2);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => app.post('accept-invitation', { token }, { token: guest.token })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(400)]);
    }
  });

  it('either revoke or accept an invitation', async () => {
    for (let round = 0; round < FEW_ROUNDS; round += 1) {
      const guest = await Person.signUp(app);
      const { body } = await organization.call('POST', '/invitations', {
        email: guest.email,
        roles: ['member'],
      });
      const token = await app.mailedToken(guest.email, 2);
      const [accepted, revoked] = await Promise.all([
        app.post('accept-invitation', { token }, { token: guest.token }),
        organization.call('DELETE', `/invitations/${String(body['id'])}`),
      ]);
      expect([
        [200, 403],
        [400, 204],
      ]).toContainEqual([accepted.status, revoked.status]);
    }
  });

  it('leave no valid token after the membership, not even by a refresh in flight', async () => {
    for (let round = 0; round < FEW_ROUNDS; round += 1) {
      const { person } = await organization.join('member');
      const refresh = (refreshToken: string) =>
        app.post('refresh', { refreshToken, tenantId: organization.id });
      const [removed, ...refreshed] = await Promise.all([
        organization.call('DELETE', `/members/${person.id}`),
        ...Array.from({ length: 5 }, () => refresh(person.refreshToken)),
      ]);
      expect(removed.status).toBe(204);
      for (const { status, body } of refreshed) {
        expect([200, 403]).toContain(status);
        // 403: the membership ended between refresh and issue, so that the token has no tenant.
        if (status === 200)
          expect((await app.get(organization.path, String(body['accessToken']))).status).toBe(
            body['tenantId'] === null ? 403 : 401,
          );
      }
      const last =
        refreshed.find(({ status }) => status === 200)?.body['refreshToken'] ?? person.refreshToken;
      expect(await refresh(String(last))).toMatchObject({
        status: 403,
        body: { type: '/errors/not-a-member' },
      });
      expect((await app.post('refresh', { refreshToken: last })).body).toMatchObject({ tenantId: null });
    }
  });

  it('do not select an organization whose membership is ending', async () => {
    const { person } = await organization.join('member');
    const select = () => app.post('select-tenant', { tenantId: organization.id }, { token: person.token });
    const [answer] = await duringChange(
      'DELETE FROM members WHERE tenant_id = $1 AND user_id = $2',
      [organization.id, person.id],
      select,
    );
    expect(answer).toMatchObject({ status: 403, body: { type: '/errors/not-a-member' } });
  });

  it('leave no selected organization after a removal', async () => {
    for (let round = 0; round < FEW_ROUNDS; round += 1) {
      const { person } = await organization.join('member');
      const [selected, removed] = await Promise.all([
        app.post('select-tenant', { tenantId: organization.id }, { token: person.token }),
        organization.call('DELETE', `/members/${person.id}`),
      ]);
      expect([200, 403]).toContain(selected.status);
      expect(removed.status).toBe(204);
      // Checked in the database: a refresh issues no token for the organization in either case, but
      // a grant with the tenant would give one after the person becomes a member again.
      const grants = await app.sql('SELECT tenant_id FROM grants WHERE account_id = $1', [person.id]);
      expect(grants).toEqual([{ tenant_id: null }]);
    }
  });

  it('do not deadlock between a logout and an erasure or removal', async () => {
    for (const end of [
      ({ person }: Member) =>
        app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token }),
      ({ person }: Member) => organization.call('DELETE', `/members/${person.id}`),
    ]) {
      const member = await organization.join('member');
      const { sessionId, token } = member.person;
      const both = await duringChange(
        'SELECT 1 FROM grants WHERE session_id = $1 FOR UPDATE',
        [sessionId],
        () => end(member),
        () => app.post('logout', undefined, { token }),
      );
      expect(both.map(({ status }) => status)).toEqual([204, 204]);
    }
  });

  it('do not deadlock between an erasure and a removal from the second organization', async () => {
    const second = await Organization.found(app, organization.owner.person);
    const { person } = await organization.join('member');
    await second.admit(person, 'member');
    const [erased, removed] = await duringChange(
      'SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE',
      [person.sessionId],
      () => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token }),
      () => second.call('DELETE', `/members/${person.id}`),
    );
    expect(erased?.status).toBe(204);
    expect([204, 404]).toContain(removed?.status);
    expect(await app.sql('SELECT 1 FROM members WHERE user_id = $1', [person.id])).toEqual([]);
  });

  it('leave no member when an account is erased while it accepts an invitation', async () => {
    for (let round = 0; round < FEW_ROUNDS; round += 1) {
      const guest = await Person.signUp(app);
      await organization.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
      const token = await app.mailedToken(guest.email, 2);
      const [accepted, erased] = await Promise.all([
        app.post('accept-invitation', { token }, { token: guest.token }),
        app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: guest.token }),
      ]);
      expect([200, 400, 401]).toContain(accepted.status);
      expect(erased.status).toBe(204);
      expect(await app.sql('SELECT 1 FROM members WHERE user_id = $1', [guest.id])).toEqual([]);
      expect(await app.sql('SELECT 1 FROM invitations WHERE email_key = $1', [guest.email])).toEqual([]);
    }
  });
});
