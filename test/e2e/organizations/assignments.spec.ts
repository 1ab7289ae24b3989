import { Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { ulid } from 'ulid';
import {
  AbilityPolicy,
  AbilityRegistry,
  AbilityService,
  AbilitySubject,
  type Accessible,
  type EntityPolicy,
  forbid,
  HeldAnywhere,
  type LoadContext,
  type Refusal,
  RequireScopes,
  Scope,
} from '../../../src/ability/index.js';
import { AccessExpiry } from '../../../src/iam/organizations/ends/access-expiry.js';
import { AuditTrail, IamModule } from '../../../src/iam/index.js';
import type { Principal, UserId } from '../../../src/kernel/index.js';
import { ApiOkResponse } from '../../../src/platform/api/index.js';
import { Caller } from '../../../src/platform/web/index.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { AuditChain } from '../../support/audit-chain.js';
import { signUpOperator, TestSatellite } from '../../support/satellite.js';
import { statementsOf } from '../../support/plans.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

/** A place of a yard, which is a part of another one. */
interface Place {
  readonly id: string;
  readonly tenantId: string;
  readonly part: string | null;
}
const places = new Map<string, Place>();
/** Another actor whom the commands of the module record. */
const keeperOfAll = ulid() as UserId;
/** Places that cannot be closed. */
const locked = new Set<string>();

const loadPlaces = (ids: readonly string[], { principal }: LoadContext): Promise<Map<string, Place>> =>
  Promise.resolve(
    new Map(
      ids
        .flatMap((id) => places.get(id) ?? [])
        .filter(({ tenantId }) => tenantId === principal.tenantId)
        .map((place) => [place.id, place]),
    ),
  );
/** Whether a place is named, or is below one that is, as a repository tells by SQL. */
const below = async (accessible: Accessible, { tenantId }: Principal): Promise<string[]> => {
  const named = [...(await accessible.idsOf('yard', 'gates')), ...(await accessible.idsOf('yard', 'sites'))];
  const isBelow = ({ id, part }: Place): boolean =>
    accessible.isEverything || named.includes(id) || (part !== null && isBelow(places.get(part.slice(-26))!));
  return [...places.values()]
    .filter((place) => place.tenantId === tenantId && isBelow(place))
    .map(({ id }) => id)
    .toSorted();
};
const partOf = ({ part }: Place) => (part === null ? [] : [part]);

@AbilityPolicy({
  module: 'yard',
  entity: 'gate',
  collection: 'gates',
  title: 'role.built-in',
  parents: partOf,
})
class GatePolicy implements EntityPolicy<Place> {
  load(ids: readonly string[], context: LoadContext): Promise<Map<string, Place>> {
    return loadPlaces(ids, context);
  }

  async list(
    { limit, after }: { limit: number; after: string | null },
    accessible: Accessible,
    { principal }: LoadContext,
  ): Promise<string[]> {
    const ids = await below(accessible, principal);
    return ids.filter((id) => after === null || id > after).slice(0, limit);
  }

  @Scope('open', { title: 'role.built-in', roles: [] })
  open(): true {
    return true;
  }

  @Scope('close', { title: 'role.built-in', roles: [] })
  close({ id }: Place): true | Refusal {
    return !locked.has(id) || forbid('role.in-use');
  }
}

@AbilityPolicy({
  module: 'yard',
  entity: 'site',
  collection: 'sites',
  title: 'role.built-in',
  parents: partOf,
})
class SitePolicy implements EntityPolicy<Place> {
  load(ids: readonly string[], context: LoadContext): Promise<Map<string, Place>> {
    return loadPlaces(ids, context);
  }

  @Scope('read', { title: 'role.built-in' })
  read(): true {
    return true;
  }
}

@Controller('api/v1/yard/gates/:id')
class GateController {
  constructor(private readonly audit: AuditTrail) {}

  @Post('open')
  @RequireScopes('yard:gate:open')
  @AbilitySubject('id')
  @HttpCode(204)
  open(@Caller() { userId, tenantId }: Principal, @Param('id') id: string): Promise<void> {
    const subject = `yard/gates/${id}`;
    return this.audit.record(
      { actorId: userId, tenantId: tenantId!, action: 'gate.opened', subject },
      { actorId: keeperOfAll, tenantId: tenantId!, action: 'gate.told', subject },
      { actorId: userId, tenantId: null, action: 'gate.noted', subject },
    );
  }
}

/** Lists gates as a repository does: those that are named, and those below what is named. */
@Controller('api/v1/yard/gates')
class GatesController {
  constructor(private readonly abilities: AbilityService) {}

  @Get()
  @RequireScopes('yard:gate:open')
  @HeldAnywhere()
  @ApiOkResponse({ schema: { type: 'object' } })
  async list(@Caller() caller: Principal): Promise<{ ids: string[] }> {
    return { ids: await below(await this.abilities.findAccessible(caller, 'yard:gate:open'), caller) };
  }
}

@Module({
  imports: [IamModule],
  controllers: [GatesController, GateController],
  providers: [GatePolicy, SitePolicy],
})
class YardModule {}

const OPEN = 'yard:gate:open';
const uriOf = (collection: string, id: string) => `gatehouse:///yard/${collection}/${id}`;

describe('A role on a single thing', () => {
  let app: TestApp;
  let organization: Organization;
  let keeper: Member;
  let region: string;
  let site: string;
  let gate: string;
  let otherGate: string;
  beforeAll(async () => {
    app = await TestApp.with(YardModule);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    organization = await Organization.found(app);
    const place = (part: string | null): string => {
      const id = ulid();
      places.set(id, { id, tenantId: organization.id, part });
      return id;
    };
    region = place(null);
    site = place(uriOf('sites', region));
    gate = place(uriOf('sites', site));
    otherGate = place(null);
    await organization.call('POST', '/roles', { key: 'keeper', name: 'Keeper', scopes: [OPEN] });
    keeper = await organization.join('member');
  });

  const assignments = (member = keeper) => `/members/${member.person.id}/assignments`;
  const assign = (on: string, more: object = {}, token?: string) =>
    organization.call('POST', assignments(), { role: 'keeper', on, ...more }, token);
  const assigned = async (on: string, more: object = {}): Promise<string> => {
    const { status, body } = await assign(on, more);
    expect({ status, body }).toMatchObject({ status: 201 });
    return String(body['id']);
  };
  const open = (id: string, token = keeper.token) =>
    app.call('POST', `/api/v1/yard/gates/${id}/open`, undefined, { token });
  const can = async (subject?: string, token = keeper.token): Promise<object | undefined> => {
    const { body } = await app.call('POST', '/api/auth/can', { scopes: [OPEN], subject }, { token });
    return body[OPEN] as object | undefined;
  };
  /** Asks the permission check and the command; both must agree. */
  const decide = async (id: string): Promise<string> => {
    const verdict = (await can(uriOf('gates', id))) as { allowed: boolean; code?: string };
    const { status, body } = await open(id);
    expect(status).toBe(verdict.allowed ? 204 : verdict.code === 'subject_not_found' ? 404 : 403);
    if (!verdict.allowed) expect(body['code']).toBe(verdict.code);
    return verdict.code ?? 'allowed';
  };

  it.each([
    ['the thing', () => uriOf('gates', gate)],
    ['what it is a part of', () => uriOf('sites', site)],
    ['what that is a part of', () => uriOf('sites', region)],
  ])('holds on %s and below it, and nowhere else', async (_, on) => {
    expect(await decide(gate)).toBe('scope_not_held');
    const id = await assigned(on());
    expect(await decide(gate)).toBe('allowed');
    expect(await decide(otherGate)).toBe('scope_not_held');
    expect(await can()).toMatchObject({ allowed: false, code: 'scope_not_held' });
    expect((await organization.call('DELETE', `${assignments()}/${id}`)).status).toBe(204);
    expect(await decide(gate)).toBe('scope_not_held');
  });

  it('tells nothing of what does not exist or is of another organization', async () => {
    await assigned(uriOf('sites', site));
    expect(await decide(ulid())).toBe('scope_not_held');
    const other = ulid();
    places.set(other, { id: other, tenantId: ulid(), part: uriOf('sites', site) });
    expect(await decide(other)).toBe('scope_not_held');
    expect((await assign(uriOf('gates', other))).body['violations']).toMatchObject([{ propertyPath: 'on' }]);
  });

  it('names nothing of the platform or of persons, whether or not it exists', async () => {
    const registry = app.app.get(AbilityRegistry, { strict: false });
    const scopes = [...registry.all.values()];
    const of = (isTenants: boolean) =>
      new Set(
        scopes.flatMap((one) =>
          (one.audience === 'tenant') === isTenants ? [one.own.key, one.judged.key] : [],
        ),
      );
    const others = [...of(false)].filter((key) => !of(true).has(key));
    expect(others).toEqual(expect.arrayContaining(['platform/operators', 'platform/people', 'iam/sessions']));
    const operator = await signUpOperator(app);
    const other = await Organization.found(app);
    const ids = [operator.id, other.id, other.owner.person.id, organization.owner.person.sessionId, ulid()];
    for (const collection of others)
      for (const id of ids) {
        const on = `gatehouse:///${collection}/${id}`;
        const answer = await assign(on);
        expect({ on, status: answer.status, violations: answer.body['violations'] }).toMatchObject({
          on,
          status: 400,
          violations: [{ propertyPath: 'on' }],
        });
      }
  });

  it('is told as the reason of what it allows, and of what it does not', async () => {
    const ask = async (
      subject: string | undefined,
      token = keeper.token,
      more: object = { explain: true },
    ) => {
      const body = { scopes: [OPEN], ...(subject !== undefined && { subject }), ...more };
      return (await app.call('POST', '/api/auth/can', body, { token })).body[OPEN];
    };
    const onOthers = {
      allowed: false,
      code: 'scope_not_held',
      reason: 'Your roles include this permission for other things only.',
    };
    const nowhere = { ...onOthers, reason: 'Your roles do not include this permission.' };
    expect(await ask(uriOf('gates', gate))).toEqual(nowhere);
    await assigned(uriOf('sites', region));
    const by = { role: 'keeper', on: uriOf('sites', region) };
    expect(await ask(uriOf('gates', gate))).toEqual({ allowed: true, by });
    await assigned(uriOf('gates', gate));
    expect(await ask(uriOf('gates', gate))).toEqual({
      allowed: true,
      by: { ...by, on: uriOf('gates', gate) },
    });
    expect(await ask(uriOf('gates', gate), keeper.token, {})).toEqual({ allowed: true });
    expect(await ask(uriOf('gates', otherGate))).toEqual(onOthers);
    expect(await ask(uriOf('gates', ulid()))).toEqual(onOthers);
    expect(await ask(undefined)).toEqual(onOthers);
    expect(await ask(uriOf('gates', gate), organization.owner.token)).toEqual({
      allowed: true,
      by: { role: 'owner', on: null },
    });
  });

  it('is what the audit trail says and finds an act by, and not what the whole organization allows', async () => {
    await assigned(uriOf('sites', site));
    await open(gate);
    await open(gate, organization.owner.token);
    await organization.call('PATCH', `/members/${keeper.person.id}`, { roles: ['member', 'keeper'] });
    expect(await open(otherGate)).toMatchObject({ status: 204 });
    const trail = async (query: string, of = organization) =>
      itemsOf<{ action: string; actorId: string; subject: string; by?: object }>(
        await of.call('GET', `/audit-events?group=gate&${query}`),
      );
    const by = { role: 'keeper', on: `yard/sites/${site}`, via: null };
    const shown = { ...by, partnerName: null };
    const opened = (await trail('action=gate.opened')).map((event) => [
      event.actorId,
      event.subject,
      event.by,
    ]);
    expect(opened).toEqual([
      [keeper.person.id, `yard/gates/${otherGate}`, undefined],
      [organization.owner.person.id, `yard/gates/${gate}`, undefined],
      [keeper.person.id, `yard/gates/${gate}`, shown],
    ]);
    expect((await trail('action=gate.told')).filter((event) => event.by)).toEqual([]);
    const noted = 'SELECT d.details FROM audit_events e LEFT JOIN audit_details d ON d.event_id = e.id';
    const details = await app.sql(`${noted} WHERE e.action = 'gate.noted' AND e.subject = $1`, [
      `yard/gates/${gate}`,
    ]);
    expect(details).toEqual([{ details: null }, { details: null }]);
    const first = { actorId: keeper.person.id, subject: `yard/gates/${gate}`, by };
    expect(await trail(`by=yard/sites/${site}`)).toMatchObject([first]);
    expect(await trail(`by=yard/sites/${site}&actorId=${organization.owner.person.id}`)).toEqual([]);
    expect(await trail(`by=yard/sites/${region}`)).toEqual([]);
    expect(await trail(`by=yard/sites/${site}&personId=${keeper.person.id}`)).toMatchObject([first]);
    expect(await trail(`by=yard/sites/${site}&personId=${organization.owner.person.id}`)).toEqual([]);
    expect(await trail(`by=yard/sites/${site}&to=2020-01-01T00:00:00Z`)).toEqual([]);
    const other = await Organization.found(app);
    expect(await trail(`by=yard/sites/${site}`, other)).toEqual([]);
    const chain = AuditChain.existing(app, organization.id);
    await chain.grow();
    expect(await chain.broken()).toBeNull();
    const stream = await fetch(`${app.url}${organization.path}/audit-stream`, {
      headers: { authorization: `Bearer ${organization.owner.token}` },
    });
    const lines = (await stream.text()).trimEnd().split('\n');
    const told = lines.map(
      (line) => (JSON.parse(line) as { unmapped: { details?: object } }).unmapped.details,
    );
    expect(told.filter(Boolean)).toEqual([by]);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: keeper.person.token });
    expect((await trail('action=gate.opened')).filter((event) => event.by)).toEqual([]);
    expect(await chain.broken()).toBeNull();
  });

  it('is tested for other members by those who may ask about them', async () => {
    await assigned(uriOf('gates', gate));
    const { id } = keeper.person;
    const test = async (scope: string, more: object = {}, token = organization.owner.token) => {
      const body = { scopes: [scope], subject: uriOf('gates', gate), userId: id, explain: true, ...more };
      return (await app.call('POST', '/api/auth/can', body, { token })).body;
    };
    expect(await test(OPEN)).toEqual({
      [OPEN]: { allowed: true, by: { role: 'keeper', on: uriOf('gates', gate) } },
    });
    expect(await test('yard:gate:close')).toMatchObject({ 'yard:gate:close': { code: 'scope_not_held' } });
    const stranger = await Person.signUp(app);
    expect(await test(OPEN, { userId: stranger.id })).toMatchObject({ [OPEN]: { code: 'scope_not_held' } });
    await signUpOperator(app);
    const operating = await test('platform:person:read', { subject: undefined });
    expect(operating).toMatchObject({ 'platform:person:read': { code: 'scope_not_held' } });
    // Nor what they may do with what is theirs, in every organization.
    const own = await test('iam:session:end', { subject: undefined });
    expect(own).toMatchObject({ 'iam:session:end': { code: 'scope_not_held' } });
    const refused = await test(OPEN, {}, keeper.token);
    expect(refused).toMatchObject({ status: 403, code: 'scope_not_held' });
    const other = await Organization.found(app);
    expect(await test(OPEN, {}, other.owner.token)).toMatchObject({ [OPEN]: { code: 'scope_not_held' } });
    const satellite = await TestSatellite.withScopes(app, OPEN, 'access:decision:read');
    const { accessToken } = await satellite.signIn(organization.owner.token);
    expect(await test(OPEN, {}, accessToken)).toEqual({ [OPEN]: { allowed: true } });
  });

  it('is not told to clients of other authors', async () => {
    await assigned(uriOf('gates', gate));
    await signUpOperator(app);
    const { accessToken } = await (await TestSatellite.withScopes(app, OPEN)).signIn(keeper.token);
    const body = { scopes: [OPEN], subject: uriOf('gates', gate), explain: true };
    const answer = await app.call('POST', '/api/auth/can', body, { token: accessToken });
    expect(answer.body[OPEN]).toEqual({ allowed: true });
  });

  it('gives no other scope, and no role to give', async () => {
    await assigned(uriOf('gates', gate));
    const { body } = await app.call(
      'POST',
      '/api/auth/can',
      { scopes: ['yard:gate:close', 'iam:member:update'], subject: uriOf('gates', gate) },
      { token: keeper.token },
    );
    expect(Object.values(body)).toMatchObject([
      { allowed: false, code: 'scope_not_held' },
      { allowed: false, code: 'scope_not_held' },
    ]);
  });

  it('ends on time by the clock of the database, whether or not the cleanup has run', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const id = await assigned(uriOf('gates', gate), { until });
    expect(await decide(gate)).toBe('allowed');
    await app.sql("UPDATE role_assignments SET until = now() - interval '1 second' WHERE id = $1", [id]);
    expect(await decide(gate)).toBe('scope_not_held');
    expect((await organization.call('GET', `${assignments()}/${id}`)).status).toBe(404);
    expect(itemsOf(await organization.call('GET', assignments()))).toEqual([]);
    await app.app.get(AccessExpiry, { strict: false }).removeEndedAssignments();
    expect(await app.sql('SELECT 1 FROM role_assignments WHERE id = $1', [id])).toEqual([]);
    expect(
      await app.sql("SELECT type FROM events WHERE subject = $1 AND type = 'iam.role.expired'", [
        `iam/assignments/${id}`,
      ]),
    ).toHaveLength(1);
  });

  it('goes with the membership, and with a suspension for its time', async () => {
    await assigned(uriOf('gates', gate));
    const member = `/members/${keeper.person.id}`;
    await organization.call('POST', `${member}/suspend`);
    expect((await open(gate)).status).not.toBe(204);
    await organization.call('POST', `${member}/restore`);
    keeper = { ...keeper, token: await keeper.person.select(organization.id) };
    expect(await decide(gate)).toBe('allowed');
    await organization.call('DELETE', member);
    await organization.admit(keeper.person, 'member');
    keeper = { ...keeper, token: await keeper.person.select(organization.id) };
    expect(await decide(gate)).toBe('scope_not_held');
  });

  it('is listed by thing, member, role and end, in pages', async () => {
    const first = await assigned(uriOf('gates', gate));
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const second = await assigned(uriOf('sites', site), { until });
    const list = async (query: string) =>
      itemsOf<{ id: string }>(await organization.call('GET', `/assignments?${query}`)).map(({ id }) => id);
    expect(await list('')).toEqual([first, second]);
    expect(await list(`on=${encodeURIComponent(uriOf('sites', site))}`)).toEqual([second]);
    expect(await list(`userId=${keeper.person.id}`)).toEqual([first, second]);
    expect(await list(`userId=${organization.owner.person.id}`)).toEqual([]);
    expect(await list('role=keeper')).toEqual([first, second]);
    expect(await list('role=admin')).toEqual([]);
    expect(await list('role=nothing')).toEqual([]);
    expect(await list(`expiring=${new Date(Date.now() + 172_800_000).toISOString()}`)).toEqual([second]);
    const page = await organization.call('GET', '/assignments?limit=1');
    expect(itemsOf(page)).toEqual([
      {
        id: first,
        userId: keeper.person.id,
        role: 'keeper',
        name: null,
        on: uriOf('gates', gate),
        until: null,
        createdAt: expect.any(String) as string,
        createdBy: organization.owner.person.id,
        source: 'manual',
      },
    ]);
    expect(await list(`limit=1&cursor=${String(page.body['nextCursor'])}`)).toEqual([second]);
  });

  it('is listed and ended by commands of the operators, in the name of the organization', async () => {
    const first = await assigned(uriOf('gates', gate));
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const second = await assigned(uriOf('sites', site), { until });
    const of = ['--organization', organization.id];
    const list = async (...words: string[]) => {
      const { items } = (await app.command('assignment:list', ...of, ...words)) as {
        items: { assignmentId: string }[];
      };
      return items.map(({ assignmentId }) => assignmentId);
    };
    expect(await list()).toEqual([first, second]);
    expect(await list('--thing', uriOf('gates', gate))).toEqual([first]);
    expect(await list('--expiring', new Date(Date.now() + 172_800_000).toISOString())).toEqual([second]);
    expect(await list('--account', organization.owner.person.email)).toEqual([]);
    expect(await list('--account', keeper.person.email, '--role', 'keeper')).toEqual([first, second]);
    expect(await list('--role', 'admin')).toEqual([]);
    await expect(list('--thing', 'gate')).rejects.toThrow('--thing: must be 1 to 200 characters');
    expect(await app.command('assignment:list', ...of, '--limit', '1')).toMatchObject({
      items: [
        {
          assignmentId: first,
          accountId: keeper.person.id,
          role: 'keeper',
          thing: `yard/gates/${gate}`,
          until: null,
          source: 'manual',
          createdBy: organization.owner.person.id,
        },
      ],
    });
    const end = (organizationId: string, account: string) =>
      app.command(
        'assignment:end',
        '--organization',
        organizationId,
        '--account',
        account,
        '--assignment',
        first,
      );
    const other = await Organization.found(app);
    const missing = `--assignment ${first}: does not exist`;
    await expect(end(other.id, keeper.person.id)).rejects.toThrow(missing);
    await expect(end(organization.id, organization.owner.person.id)).rejects.toThrow(missing);
    expect(await decide(gate)).toBe('allowed');
    await end(organization.id, keeper.person.email);
    await app.command(
      'assignment:end',
      '--organization',
      organization.id,
      '--account',
      keeper.person.id,
      '--assignment',
      second,
    );
    expect(await list()).toEqual([]);
    await eventually('the access has ended', async () => (await open(gate)).status === 403);
    const [event] = itemsOf<object>(await organization.call('GET', '/audit-events?limit=1'));
    expect(event).toMatchObject({ action: 'role.unassigned', actorId: organization.id });
    await app.sql("UPDATE role_assignments SET source = 'directory' WHERE id = $1", [
      await assigned(uriOf('gates', gate)),
    ]);
    const [ruled = ''] = await list();
    await expect(
      app.command('assignment:end', ...of, '--account', keeper.person.id, '--assignment', ruled),
    ).rejects.toThrow('rule');
    expect(await list()).toEqual([ruled]);
  });

  it('is given by who holds the role, to others, and never as an owner', async () => {
    const admin = await organization.join('admin');
    const refused = await assign(uriOf('gates', gate), {}, admin.token);
    expect(refused.body['violations']).toMatchObject([{ propertyPath: 'role' }]);
    const owner = await assign(uriOf('gates', gate), { role: 'owner' });
    expect(owner.body['violations']).toMatchObject([{ propertyPath: 'role' }]);
    const past = await assign(uriOf('gates', gate), { until: new Date(Date.now() - 1).toISOString() });
    expect(past.body['violations']).toMatchObject([{ propertyPath: 'until' }]);
    const id = await assigned(uriOf('gates', gate));
    expect((await organization.call('DELETE', `${assignments()}/${id}`, undefined, admin.token)).status).toBe(
      403,
    );
    const own = await organization.call('POST', `/members/${organization.owner.person.id}/assignments`, {
      role: 'keeper',
      on: uriOf('gates', gate),
    });
    expect(own.status).toBe(403);
    expect((await assign(uriOf('gates', gate), {}, keeper.token)).status).toBe(403);
  });

  it('is one of at most a thousand of a member', async () => {
    const first = await assigned(uriOf('gates', gate));
    await app.sql(
      `INSERT INTO role_assignments (tenant_id, id, user_id, role_id, thing, created_by)
       SELECT tenant_id, id || n, user_id, role_id, thing, created_by FROM role_assignments, generate_series(1, 998) n
       WHERE tenant_id = $1 AND id = $2`,
      [organization.id, first],
    );
    await assigned(uriOf('gates', gate));
    expect((await assign(uriOf('gates', gate))).status).toBe(409);
  });

  describe('in a list', () => {
    const list = async (token = keeper.token) => {
      const { status, body } = await app.call('GET', '/api/v1/yard/gates', undefined, { token });
      return status === 200 ? (body['ids'] as unknown as string[]).toSorted() : body['code'];
    };
    const anywhere = async (token = keeper.token) => {
      const { body } = await app.call('POST', '/api/auth/can', { scopes: [OPEN], anywhere: true }, { token });
      return (body[OPEN] as unknown as { allowed: boolean }).allowed;
    };

    it('shows what the command allows, and for no other member', async () => {
      expect([await list(), await anywhere()]).toEqual(['scope_not_held', false]);
      const onGate = await assigned(uriOf('gates', otherGate));
      expect([await list(), await anywhere()]).toEqual([[otherGate], true]);
      expect(await can()).toMatchObject({ allowed: false, code: 'scope_not_held' });
      await assigned(uriOf('sites', site));
      expect(await list()).toEqual([site, gate, otherGate].toSorted());
      await organization.call('DELETE', `${assignments()}/${onGate}`);
      expect(await list()).toEqual([site, gate].toSorted());
      expect(await list(organization.owner.token)).toEqual([region, site, gate, otherGate].toSorted());
    });

    it('ends on time, and with a suspension', async () => {
      const id = await assigned(uriOf('gates', gate), {
        until: new Date(Date.now() + 3_600_000).toISOString(),
      });
      expect(await list()).toEqual([gate]);
      await app.sql("UPDATE role_assignments SET until = now() - interval '1 second' WHERE id = $1", [id]);
      expect([await list(), await anywhere()]).toEqual(['scope_not_held', false]);
    });

    it('is not opened by another scope, or in another organization', async () => {
      await organization.call('POST', '/roles', {
        key: 'closer',
        name: 'Closer',
        scopes: ['yard:gate:close'],
      });
      await assigned(uriOf('gates', gate), { role: 'closer' });
      expect([await list(), await anywhere()]).toEqual(['scope_not_held', false]);
      await assigned(uriOf('gates', gate));
      const other = await Organization.found(app);
      const token = await other.admit(keeper.person, 'member');
      expect([await list(token), await anywhere(token)]).toEqual(['scope_not_held', false]);
    });
  });

  describe('in a search', () => {
    const search = (body: object, token = keeper.token) =>
      app.call(
        'POST',
        '/access/v1/search/resource',
        {
          subject: { type: 'user', id: keeper.person.id },
          action: { name: 'yard:gate:close' },
          resource: { type: 'yard/gates' },
          ...body,
        },
        { token },
      );
    const pages = async (limit: number) => {
      const found: string[][] = [];
      let token = '';
      do {
        const { status, body } = await search({ page: { limit, ...(token !== '' && { token }) } });
        expect(status).toBe(200);
        found.push((body['results'] as unknown as { id: string }[]).map(({ id }) => id));
        token = (body['page'] as unknown as { next_token: string }).next_token;
      } while (token !== '');
      return found;
    };
    beforeEach(async () => {
      await organization.call('POST', '/roles', {
        key: 'closer',
        name: 'Closer',
        scopes: ['yard:gate:close'],
      });
      locked.clear();
    });

    it('finds what the permission check allows, in pages in order of id, and no more', async () => {
      expect(await pages(10)).toEqual([[]]);
      await assigned(uriOf('sites', region), { role: 'closer' });
      const all = [site, gate].toSorted();
      expect(await pages(10)).toEqual([all]);
      expect((await pages(2)).flat()).toEqual(all);
      expect((await pages(1)).flat()).toEqual(all);
      expect((await pages(3)).flat()).toEqual(all);
      locked.add(site);
      const open = [gate];
      for (const limit of [1, 2, 3, 10]) expect((await pages(limit)).flat()).toEqual(open);
      await assigned(uriOf('gates', otherGate));
      expect((await pages(10)).flat()).toEqual(open);
    });

    it.each<[string, object, number]>([
      ['another subject', { subject: { type: 'user', id: ulid() } }, 403],
      ['a service account', { subject: { type: 'service_account', id: ulid() } }, 403],
      ['a collection that is not searched', { resource: { type: 'yard/sites' } }, 400],
      ['no collection', { resource: { type: 'yard' } }, 400],
      ['a token that is none', { page: { token: '%' } }, 400],
      ['a page that is too large', { page: { limit: 1_001 } }, 400],
    ])('refuses %s', async (_, body, status) => {
      expect((await search(body)).status).toBe(status);
    });
  });

  it('keeps its role from being deleted', async () => {
    const id = await assigned(uriOf('gates', gate));
    const [role] = await app.sql<{ id: string }>('SELECT role_id AS id FROM role_assignments WHERE id = $1', [
      id,
    ]);
    expect((await organization.call('DELETE', `/roles/${role?.id}`)).status).toBe(403);
    await organization.call('DELETE', `${assignments()}/${id}`);
    expect((await organization.call('DELETE', `/roles/${role?.id}`)).status).toBe(204);
  });

  it('costs one statement to tell what is held on other things, and one to list', async () => {
    await assigned(uriOf('gates', otherGate));
    // The cache reads memberships again in the background.
    const isOfCache = (sql: string) => sql.includes('asked (tenant_id, user_id)');
    const onAssignments = async (work: () => Promise<unknown>) =>
      (await statementsOf(work)).filter(([sql]) => sql.includes('FROM role_assignments a') && !isOfCache(sql))
        .length;
    const ask = (subject?: string) => {
      const scopes = [OPEN, 'yard:gate:close', 'yard:site:read'];
      return app.call('POST', '/api/auth/can', { scopes, subject }, { token: keeper.token });
    };
    await ask();
    expect(await onAssignments(() => ask())).toBe(1);
    const abilities = app.app.get(AbilityService, { strict: false });
    const principal = {
      kind: 'person',
      userId: keeper.person.id,
      tenantId: organization.id,
      clientId: 'gatehouse',
    };
    expect(await onAssignments(() => abilities.findAccessible(principal as never, OPEN))).toBe(1);
    const accessible = await abilities.findAccessible(principal as never, OPEN);
    expect(await accessible.idsOf('yard', 'gates')).toEqual([otherGate]);
  });

  it('is what the trail says an act was allowed by, as the decision under locks has found it', async () => {
    await assigned(uriOf('sites', site));
    await organization.call('PATCH', `/members/${keeper.person.id}`, { roles: ['member', 'keeper'] });
    expect((await open(otherGate)).status).toBe(204);
    // The copy of this replica still has the role in the whole organization.
    await app.sql(
      "DELETE FROM member_roles WHERE user_id = $1 AND role_id IN (SELECT id FROM roles WHERE key = 'keeper')",
      [keeper.person.id],
    );
    const statements = await statementsOf(async () => expect((await open(gate)).status).toBe(204));
    const areLocked = statements
      .filter(([sql]) => sql.includes('a.role_id AS "roleId" FROM role_assignments'))
      .map(([sql]) => sql.endsWith('FOR SHARE OF a'));
    // Once under locks, and nothing later; before it, if the copy has been renewed by now.
    expect(areLocked.filter(Boolean)).toHaveLength(1);
    expect(areLocked.at(-1)).toBe(true);
    const [act] = itemsOf<{ by?: object }>(
      await organization.call('GET', '/audit-events?action=gate.opened'),
    );
    expect(act?.by).toMatchObject({ role: 'keeper', on: `yard/sites/${site}` });
  });

  it('costs a member without one no statement', async () => {
    await decide(gate);
    const statements = await statementsOf(() => open(gate));
    expect(statements.filter(([sql]) => sql.includes('a.role_id AS "roleId" FROM role_assignments'))).toEqual(
      [],
    );
  });
});
