import { Client } from 'pg';
import { OperatorService } from '../../../src/iam/index.js';
import { newId, type UserId } from '../../../src/kernel/index.js';
import { AbilityRegistry } from '../../../src/ability/index.js';
import { AccessTokenService } from '../../../src/session/tokens/access-token.service.js';
import { claimsOf } from '../../support/aged.js';
import { byTwoFactors } from '../../support/factors.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, tokenIn, withApp } from '../../support/test-app.js';

const IMPERSONATIONS = '/api/v1/operator/impersonations';
const ME = '/api/v1/iam/me';
const REFUSED = { status: 403, body: { code: 'state_forbids' } };

interface Event {
  readonly action: string;
  readonly actorId: string;
  readonly impersonatorId?: string;
}
interface Acting {
  readonly id: string;
  readonly accessToken: string;
  readonly expiresIn: number;
}

describe('An operator who acts as a person', () => {
  let admin: Person;
  let operator: string;
  let organization: Organization;
  let member: Member;
  const app = withApp();
  beforeAll(async () => {
    admin = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(admin.email, 'admin');
    operator = byTwoFactors(app, admin.token);
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
    member = await organization.join('admin');
  });

  const ask = (body: object, token = operator) => app.call('POST', IMPERSONATIONS, body, { token });
  const wanted = () => ({ userId: member.person.id, tenantId: organization.id, reason: 'Ticket 4711' });
  const allow = async (supportAccess: string) =>
    expect(await organization.call('PUT', '/sign-in-policy', { supportAccess })).toMatchObject({
      status: 200,
    });
  const letIn = (hours: number) => organization.call('POST', '/support-access', { hours });
  const start = async (supportAccess = 'always'): Promise<Acting> => {
    await allow(supportAccess);
    expect(await isOffered()).toEqual([true]);
    const { status, body } = await ask(wanted());
    expect(status).toBe(200);
    return body as unknown as Acting;
  };
  /** Whether the page of the person says that an operator may act as them. */
  const isOffered = async () => {
    const { body } = await app.get(`/api/v1/operator/people/${member.person.id}`, operator);
    const memberships = body['memberships'] as unknown as { letsSupportIn: boolean }[];
    return memberships.map(({ letsSupportIn }) => letsSupportIn);
  };
  const me = (token: string) => app.get(ME, token);
  const ends = (token: string) =>
    eventually('the impersonation has ended', async () => (await me(token)).status === 401);
  const mailed = (email: string, subject: string) =>
    eventually(`mail: ${subject}`, async () =>
      (await app.mails(email)).some((mail) => mail.includes(`Subject: ${subject}`)),
    );

  it('has the rights of the person in one organization, for half an hour, without a refresh token', async () => {
    const acting = await start();
    expect(Object.keys(acting)).not.toContain('refreshToken');
    expect(acting.expiresIn).toBeGreaterThan(1_700);
    expect(acting.expiresIn).toBeLessThanOrEqual(1_800);
    const claims = claimsOf(acting.accessToken);
    expect(claims).toMatchObject({
      sub: member.person.id,
      act: { sub: admin.id },
      tid: organization.id,
      acr: 'aal1',
      amr: [],
    });
    expect(String(claims['scope']).split(' ')).toContain('iam:member:read');
    expect(String(claims['scope'])).not.toContain('iam:role:create');
    expect((await me(acting.accessToken)).body).toMatchObject({
      id: member.person.id,
      impersonation: {
        id: acting.id,
        actorId: admin.id,
        tenantId: organization.id,
        reason: 'Ticket 4711',
      },
    });
    expect((await me(member.token)).body).not.toHaveProperty('impersonation');
    expect(await organization.call('GET', '/members', undefined, acting.accessToken)).toMatchObject({
      status: 200,
    });
    const renamed = await organization.call('PATCH', '', { name: 'Renamed' }, acting.accessToken);
    expect(renamed).toMatchObject({ status: 200 });
    const events = itemsOf<Event>(await organization.call('GET', '/audit-events'));
    expect(events.find(({ action }) => action === 'tenant.renamed')).toMatchObject({
      actorId: member.person.id,
      impersonatorId: admin.id,
    });
    expect(events.find(({ action }) => action === 'impersonation.started')).toMatchObject({
      actorId: member.person.id,
      impersonatorId: admin.id,
    });
    expect(events.find(({ action }) => action === 'member.joined')).not.toHaveProperty('impersonatorId');
    const own = itemsOf<Event>(await app.get(`${ME}/audit-events`, member.token));
    expect(own.map(({ action }) => action)).toContain('impersonation.started');
    const trail = await app.get(`/api/v1/operator/audit-events?actorId=${admin.id}`, operator);
    expect(itemsOf<Event>(trail).map(({ action }) => action)).toContain('operator.impersonation-started');
  });

  it('names the ticket of the case to the person, the organization and in both trails', async () => {
    await allow('always');
    const ticket = 'https://tickets.example/SUP-4711';
    const { status, body } = await ask({ ...wanted(), ticket });
    expect({ status, body }).toMatchObject({ status: 200, body: { ticket } });
    const token = String(body['accessToken']);
    expect((await me(token)).body).toMatchObject({ impersonation: { reason: 'Ticket 4711', ticket } });
    expect(
      (await app.call('DELETE', `${IMPERSONATIONS}/${String(body['id'])}`, undefined, { token: operator }))
        .status,
    ).toBe(204);
    const ticketsIn = async (path: string, reader: string) =>
      itemsOf<{ action: string; ticket?: string }>(await app.get(path, reader))
        .filter(({ action }) => action.includes('impersonation'))
        .map((event) => [event.action, event.ticket]);
    const acted = [
      ['impersonation.ended', ticket],
      ['impersonation.started', ticket],
    ];
    expect(await ticketsIn(`${ME}/audit-events`, member.token)).toEqual(acted);
    const ofTenant = itemsOf<{ ticket?: string }>(await organization.call('GET', '/audit-events'));
    expect(ofTenant.filter((event) => event.ticket === ticket)).toHaveLength(2);
    const exported = await app.get(`/api/v1/operator/tenants/${organization.id}/export`, operator);
    const parts = exported.body['parts'] as unknown as { name: string; items: Event[] }[];
    const events = parts.find(({ name }) => name === 'events')?.items;
    expect(events?.find(({ action }) => action === 'impersonation.started')).toMatchObject({
      actorId: member.person.id,
      impersonatorId: admin.id,
      ticket,
    });
    const subject = `platform/impersonations/${String(body['id'])}`;
    const trail = `/api/v1/operator/audit-events?actorId=${admin.id}&subject=${subject}`;
    expect(await ticketsIn(trail, operator)).toEqual([
      ['operator.impersonation-ended', ticket],
      ['operator.impersonation-started', ticket],
    ]);
  });

  it('may leave out the ticket, which is a number or an address and no text', async () => {
    await allow('always');
    for (const ticket of [
      '',
      ' ',
      'of ada@example.com',
      'Ada Lovelace',
      '<b>1</b>',
      'x'.repeat(101),
      4711,
      null,
    ])
      expect([ticket, await ask({ ...wanted(), ticket })]).toMatchObject([
        ticket,
        { status: 400, body: { violations: [{ propertyPath: 'ticket' }] } },
      ]);
    const { body } = await ask(wanted());
    expect(body).toMatchObject({ ticket: null });
    const { impersonation } = (await me(String(body['accessToken']))).body;
    expect(impersonation).toMatchObject({ ticket: null });
    const events = itemsOf<Event>(await app.get(`${ME}/audit-events`, member.token));
    expect(events.find(({ action }) => action === 'impersonation.started')).not.toHaveProperty('ticket');
  });

  it('cannot do what belongs to the person, by command and by probe', async () => {
    const { accessToken: token } = await start();
    for (const [method, path, body] of [
      ['PATCH', ME, { firstName: 'Eve' }],
      ['PUT', `${ME}/password`, { currentPassword: 'x', newPassword: 'quiet-harbour-43' }],
      ['PUT', `${ME}/email`, { email: 'eve@example.com' }],
      ['POST', `${ME}/authenticators/totp`, undefined],
      ['POST', `${ME}/recovery-codes`, undefined],
      ['POST', `${ME}/keys`, { name: 'Key', tenantId: organization.id }],
      ['POST', `${ME}/export`, undefined],
      ['GET', `${ME}/export/${newId()}`, undefined],
      ['GET', `${ME}/export/${newId()}/page`, undefined],
      ['DELETE', '/api/v1/iam/auth/account', undefined],
      ['POST', '/api/v1/iam/auth/logout-all', undefined],
      ['POST', '/api/v1/iam/auth/select-tenant', { tenantId: organization.id }],
      ['POST', '/api/v1/iam/auth/step-up/options', undefined],
      ['POST', '/api/v1/iam/auth/satellite/code', { clientId: 'shop', redirectUri: 'https://a.example/' }],
      ['POST', '/api/v1/iam/tenants', { name: 'Another' }],
      ['DELETE', `${ME}/tenants/${organization.id}`, undefined],
    ] as const)
      expect([path, await app.call(method, path, body, { token })]).toMatchObject([path, REFUSED]);
    const roles = await organization.call('GET', '/roles');
    const { id: roleId } = itemsOf<{ id: string }>(roles)[0] ?? { id: '' };
    for (const [method, below, body] of [
      ['POST', '/invitations', { email: 'eve@example.com', roles: ['member'] }],
      ['POST', '/roles', { key: 'eve', name: 'Eve', scopes: [] }],
      ['DELETE', `/roles/${roleId}`, undefined],
      ['PUT', '/sign-in-policy', { graceDays: 1 }],
      ['POST', '/domains', { name: 'eve.example' }],
      ['POST', '/service-accounts', { name: 'Eve', roles: [] }],
      ['DELETE', `/members/${organization.owner.person.id}`, undefined],
    ] as const)
      expect([below, await organization.call(method, below, body, token)]).toMatchObject([below, REFUSED]);
    expect(await ask(wanted(), token)).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    const scopes = ['iam:invitation:create', 'iam:role:create', 'iam:sign-in-policy:update'];
    const verdicts = (await app.call('POST', '/api/auth/can', { scopes }, { token })).body;
    for (const scope of scopes) expect(verdicts[scope]).toMatchObject({ code: 'state_forbids' });
  });

  it('does not gain rights of an operator from the person', async () => {
    const { accessToken: token } = await start();
    await app.app.get(OperatorService, { strict: false }).grant(member.person.email, 'admin');
    await eventually('the role counts', async () => {
      const asked = byTwoFactors(app, member.person.token);
      return (await app.get('/api/v1/operator/operators', asked)).status === 200;
    });
    expect(await app.get('/api/v1/operator/operators', token)).toMatchObject({
      status: 403,
      body: { code: 'scope_not_held' },
    });
  });

  it('enters whatever the organization asks of the sign-ins of members', async () => {
    const { token } = organization.owner;
    const policy = { secondFactor: 'required', supportAccess: 'always' };
    const set = await organization.call('PUT', '/sign-in-policy', policy, byTwoFactors(app, token));
    expect(set.status).toBe(200);
    const { body } = await ask(wanted());
    const answer = await organization.call('GET', '/members', undefined, String(body['accessToken']));
    expect(answer.status).toBe(200);
  });

  it('reads the profile of the person, and changes nothing by a route without scopes', async () => {
    const { accessToken: token } = await start();
    for (const path of [`${ME}/tenants`, `${ME}/sessions`, `${ME}/authenticators`])
      expect((await app.get(path, token)).status).toBe(200);
  });

  it('holds only scopes that need no proof and belong to an organization', () => {
    for (const scope of app.app.get(AbilityRegistry, { strict: false }).all.values())
      if (scope.impersonation)
        expect(scope).toMatchObject({ audience: 'tenant', need: null, firstParty: false });
  });

  it.each(['never', 'on_request'])('is refused by an organization that says %s', async (supportAccess) => {
    await allow(supportAccess);
    expect(await ask(wanted())).toMatchObject(REFUSED);
    expect(await isOffered()).toEqual([false]);
  });

  it('is refused by an organization that says never, whatever it has granted', async () => {
    await allow('never');
    await app.sql("UPDATE tenants SET support_until = now() + interval '1 hour' WHERE id = $1", [
      organization.id,
    ]);
    expect(await ask(wanted())).toMatchObject(REFUSED);
    expect(await isOffered()).toEqual([false]);
  });

  it('is refused to support, without two factors, and to people', async () => {
    await allow('always');
    const support = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(support.email, 'support');
    expect(await ask(wanted(), byTwoFactors(app, support.token))).toMatchObject({ status: 403 });
    expect(await ask(wanted(), admin.token)).toMatchObject({ status: 401 });
    expect(await ask(wanted(), byTwoFactors(app, organization.owner.token))).toMatchObject({ status: 403 });
  });

  it('cannot be another operator, a suspended person, a stranger or an unknown person', async () => {
    await allow('always');
    const second = await Person.signUp(app);
    await organization.admit(second, 'admin');
    await app.app.get(OperatorService, { strict: false }).grant(second.email, 'support');
    expect(await ask({ ...wanted(), userId: second.id })).toMatchObject(REFUSED);
    const stranger = await Person.signUp(app);
    expect(await ask({ ...wanted(), userId: stranger.id })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'tenantId' }] },
    });
    expect(await ask({ ...wanted(), userId: newId() })).toMatchObject({ status: 404 });
    expect(await ask({ ...wanted(), tenantId: newId() })).toMatchObject(REFUSED);
    expect(await ask({ ...wanted(), reason: '' })).toMatchObject({ status: 400 });
    await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [member.person.id]);
    expect(await ask(wanted())).toMatchObject(REFUSED);
  });

  describe('ends', () => {
    const by: Record<string, (acting: Acting) => Promise<Answer>> = {
      'by the operator': ({ id }) =>
        app.call('DELETE', `${IMPERSONATIONS}/${id}`, undefined, { token: operator }),
      'by its own sign-out': ({ accessToken: token }) =>
        app.call('POST', '/api/v1/iam/auth/logout', undefined, { token }),
      'by the person': ({ id }) =>
        app.call('DELETE', `${ME}/sessions/${id}`, undefined, { token: member.token }),
      'by the organization': () => organization.call('PUT', '/sign-in-policy', { supportAccess: 'never' }),
      'when support must ask': () =>
        organization.call('PUT', '/sign-in-policy', { supportAccess: 'on_request' }),
      'with the membership': () => organization.call('DELETE', `/members/${member.person.id}`),
    };
    it.each(Object.keys(by))('%s', async (how) => {
      const acting = await start();
      expect((await me(acting.accessToken)).status).toBe(200);
      expect((await by[how]?.(acting))?.status).toBeLessThan(300);
      await ends(acting.accessToken);
    });

    it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
      [
        'removed and admitted again',
        () => organization.call('DELETE', `/members/${member.person.id}`),
        () => organization.admit(member.person, 'admin'),
      ],
      [
        'suspended and restored',
        () => organization.call('POST', `/members/${member.person.id}/suspend`),
        () => organization.call('POST', `/members/${member.person.id}/restore`),
      ],
    ])('for good when the member is %s', async (_, end, begin) => {
      const acting = await start();
      const other = await Organization.found(app);
      await other.admit(member.person, 'admin');
      expect(await other.call('PUT', '/sign-in-policy', { supportAccess: 'always' })).toMatchObject({
        status: 200,
      });
      const { body: inOther } = await ask({ ...wanted(), tenantId: other.id });
      await end();
      await ends(acting.accessToken);
      await mailed(member.person.email, 'Support acted as you');
      await begin();
      await eventually('the membership is back', async () => {
        const { body } = await ask(wanted());
        return (await me(String(body['accessToken']))).status === 200;
      });
      expect((await me(acting.accessToken)).status).toBe(401);
      expect((await me(String(inOther['accessToken']))).status).toBe(200);
      const events = itemsOf<Event>(await organization.call('GET', '/audit-events'));
      expect(events.filter(({ action }) => action === 'impersonation.ended')).toHaveLength(1);
    });

    it('with a mail to the person, once', async () => {
      const acting = await start();
      const end = () => app.call('DELETE', `${IMPERSONATIONS}/${acting.id}`, undefined, { token: operator });
      expect((await end()).status).toBe(204);
      expect(await end()).toMatchObject(REFUSED);
      await mailed(member.person.email, 'Support acted as you');
      const events = itemsOf<Event>(await organization.call('GET', '/audit-events'));
      expect(events.filter(({ action }) => action === 'impersonation.ended')).toHaveLength(1);
    });

    it('when the time is over, with the mail too', async () => {
      const acting = await start();
      await app.sql(
        `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE task_id IN (SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'session.end-impersonation')`,
      );
      await app.sql('UPDATE sessions SET expires_at = now() WHERE id = $1', [acting.id]);
      await mailed(member.person.email, 'Support acted as you');
      await ends(acting.accessToken);
    });

    it.each<[string, 'support' | 'admin', string[] | null]>([
      ['role', 'support', null],
      ['permission', 'admin', ['platform:person:read']],
    ])('with the %s of the operator', async (_, role, scopes) => {
      const second = await Person.signUp(app);
      const operators = app.app.get(OperatorService, { strict: false });
      await operators.grant(second.email, 'admin', ['platform:impersonation:start']);
      await allow('always');
      const { body } = await ask(wanted(), byTwoFactors(app, second.token));
      expect((await me(String(body['accessToken']))).status).toBe(200);
      await operators.grant(second.email, role, scopes);
      await ends(String(body['accessToken']));
    });

    it('when the operator signs out, and not by a sign-out in another browser', async () => {
      const second = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(second.email, 'admin');
      const other = await Person.again(second);
      await allow('always');
      const { body } = await ask(wanted(), byTwoFactors(app, second.token));
      const signOut = (token: string) => app.call('POST', '/api/v1/iam/auth/logout', undefined, { token });
      expect((await signOut(other.token)).status).toBe(204);
      expect((await me(String(body['accessToken']))).status).toBe(200);
      expect((await signOut(second.token)).status).toBe(204);
      await ends(String(body['accessToken']));
      await mailed(member.person.email, 'Support acted as you');
    });

    it('before it starts, when the operator signs out concurrently', async () => {
      const second = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(second.email, 'admin');
      await allow('always');
      const other = new Client({ connectionString: app.databaseUrl });
      await other.connect();
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [member.person.id]);
      const asked = ask(wanted(), byTwoFactors(app, second.token));
      await eventually('the start waits', async () => (await app.waitingForLocks()) === 1);
      expect((await app.post('logout', undefined, { token: second.token })).status).toBe(204);
      await other.query('COMMIT');
      await other.end();
      expect((await asked).status).toBe(401);
    });

    it('when the operator signs out of all devices', async () => {
      const second = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(second.email, 'admin');
      await allow('always');
      const { body } = await ask(wanted(), byTwoFactors(app, second.token));
      await app.call('POST', '/api/v1/iam/auth/logout-all', undefined, { token: second.token });
      await ends(String(body['accessToken']));
    });
  });

  it('ends for good when the operator may no longer do it, with the mail to the person', async () => {
    const second = await Person.signUp(app);
    const operators = app.app.get(OperatorService, { strict: false });
    await operators.grant(second.email, 'admin');
    await allow('always');
    const { body } = await ask(wanted(), byTwoFactors(app, second.token));
    const token = String(body['accessToken']);
    const still = { role: 'admin' as const, scopes: ['platform:impersonation:start'] };
    await operators.update(admin.id as UserId, second.id as UserId, still);
    expect((await me(token)).status).toBe(200);
    await operators.update(admin.id as UserId, second.id as UserId, { role: 'support', scopes: null });
    await ends(token);
    await operators.update(admin.id as UserId, second.id as UserId, { role: 'admin', scopes: null });
    await mailed(member.person.email, 'Support acted as you');
    expect((await me(token)).status).toBe(401);
  });

  it.each<[string, (who: Person) => Promise<unknown>]>([
    ['is one no more', ({ email }) => app.command('operator:revoke', '--account', email)],
    [
      'has a new password by mail',
      async ({ email }) => {
        await app.post('request-password-reset', { email });
        const reset = async () =>
          (await app.mails(email, 0)).find((mail) => mail.includes('Subject: Reset your password'));
        await eventually('the mail has come', async () => (await reset()) !== undefined);
        const token = tokenIn((await reset()) ?? '');
        expect((await app.post('reset-password', { token, newPassword: 'a-new-harbour-7' })).status).toBe(
          204,
        );
      },
    ],
  ])('ends for good when the operator %s, with the mail to the person', async (_, happen) => {
    const second = await Person.signUp(app);
    const operators = app.app.get(OperatorService, { strict: false });
    await operators.grant(second.email, 'admin');
    await allow('always');
    const { body } = await ask(wanted(), byTwoFactors(app, second.token));
    expect((await me(String(body['accessToken']))).status).toBe(200);
    await happen(second);
    await ends(String(body['accessToken']));
    await mailed(member.person.email, 'Support acted as you');
    await operators.grant(second.email, 'admin');
    expect((await me(String(body['accessToken']))).status).toBe(401);
  });

  describe('on request', () => {
    it('is let in by an owner for some hours, with a mail to all owners', async () => {
      await allow('on_request');
      expect(await letIn(0)).toMatchObject({ status: 400 });
      expect(await letIn(73)).toMatchObject({ status: 400 });
      const granted = await letIn(4);
      expect(granted).toMatchObject({ status: 200, body: { supportAccess: 'on_request' } });
      const hours = (Date.parse(String(granted.body['until'])) - Date.now()) / 3_600_000;
      expect(hours).toBeGreaterThan(3.9);
      expect(hours).toBeLessThanOrEqual(4.01);
      expect((await organization.call('GET', '/support-access')).body).toEqual(granted.body);
      await mailed(organization.owner.person.email, 'Support may enter your organization');
      expect(await isOffered()).toEqual([true]);
      expect((await ask(wanted())).status).toBe(200);
    });

    it('is let in by owners only, and where the policy says so', async () => {
      expect(await letIn(1)).toMatchObject(REFUSED);
      await allow('on_request');
      const answer = await organization.call('POST', '/support-access', { hours: 1 }, member.token);
      expect(answer).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    });

    it('ends with the grant, exactly', async () => {
      await allow('on_request');
      await letIn(1);
      await app.sql("UPDATE tenants SET support_until = now() + interval '3 seconds' WHERE id = $1", [
        organization.id,
      ]);
      const { body } = await ask(wanted());
      expect(Number(body['expiresIn'])).toBeLessThanOrEqual(3);
      await ends(String(body['accessToken']));
      await eventually('the grant is over', async () => (await ask(wanted())).status === 403);
    });

    it('is let in no longer after another policy, nor when the first one is back', async () => {
      await allow('on_request');
      await letIn(1);
      await allow('never');
      await allow('on_request');
      expect(await ask(wanted())).toMatchObject(REFUSED);
    });

    it('ends when the access is ended', async () => {
      await allow('on_request');
      await letIn(1);
      const acting = String((await ask(wanted())).body['accessToken']);
      const end = (token: string) => organization.call('DELETE', '/support-access', undefined, token);
      expect(await end(acting)).toMatchObject(REFUSED);
      expect((await end(member.token)).status).toBe(204);
      await ends(acting);
      expect(await organization.call('DELETE', '/support-access')).toMatchObject(REFUSED);
    });
  });

  it('is not the person alone if the token does not name the operator', async () => {
    const { accessToken } = await start();
    const { sub, sid, gid, tid } = claimsOf(accessToken);
    const forged = app.app.get(AccessTokenService, { strict: false }).sign({
      userId: sub,
      sessionId: sid,
      grantId: gid,
      tenantId: tid,
      clientId: 'gatehouse',
      authTime: new Date(),
      aal2Time: null,
      phrTime: null,
      trustedDevice: false,
      amr: [],
      scopes: [],
      actorId: 7,
    } as never);
    expect((await me(forged)).status).toBe(401);
  });
});
