import { Controller, Get, HttpCode, Module, Param, Post } from '@nestjs/common';
import { ulid } from 'ulid';
import {
  AbilityPolicy,
  AbilityService,
  AbilitySubject,
  type Accessible,
  type EntityPolicy,
  HeldAnywhere,
  type LoadContext,
  RequireScopes,
  Scope,
} from '../../../src/ability/index.js';
import { OperatorService } from '../../../src/iam/index.js';
import type { Principal } from '../../../src/kernel/index.js';
import { ApiOkResponse } from '../../../src/platform/api/index.js';
import { Caller } from '../../../src/platform/web/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { roundsOf } from '../../support/long.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';

/** Comparisons of a run. `npm run parity` makes a million. */
const CASES = Number(process.env['PARITY_CASES'] ?? roundsOf({ short: 2_000, long: 50_000 }));
const SEED = Number(process.env['PARITY_SEED'] ?? Date.now() % 2 ** 31);

/** An entity of this service, below entities of it and things of other services. */
interface Place {
  readonly id: string;
  readonly tenantId: string;
  parents: string[];
}
const places = new Map<string, Place>();

const load = (ids: readonly string[], { principal }: LoadContext): Promise<Map<string, Place>> =>
  Promise.resolve(
    new Map(
      ids
        .flatMap((id) => places.get(id) ?? [])
        .filter(({ tenantId }) => tenantId === principal.tenantId)
        .map((place) => [place.id, { ...place }]),
    ),
  );

@AbilityPolicy({
  module: 'garage',
  entity: 'bay',
  collection: 'bays',
  title: 'role.built-in',
  parents: ({ parents }: Place) => parents,
})
class BayPolicy implements EntityPolicy<Place> {
  load(ids: readonly string[], context: LoadContext): Promise<Map<string, Place>> {
    return load(ids, context);
  }

  @Scope('open', { title: 'role.built-in', roles: [] })
  open(): true {
    return true;
  }
}

@Controller('api/v1/garage/bays')
class BayController {
  constructor(private readonly abilities: AbilityService) {}

  @Get()
  @RequireScopes('garage:bay:open')
  @HeldAnywhere()
  @ApiOkResponse({ schema: { type: 'object' } })
  async list(@Caller() caller: Principal): Promise<{ ids: string[] }> {
    const accessible = await this.abilities.findAccessible(caller, 'garage:bay:open');
    return { ids: await listBays(accessible, caller) };
  }

  @Post(':id/open')
  @RequireScopes('garage:bay:open')
  @AbilitySubject('id')
  @HttpCode(204)
  open(@Param('id') _id: string): Promise<void> {
    return pause;
  }
}

/** What commands wait for, after their decision. */
let pause: Promise<void> = Promise.resolve();

/** Lists bays as a repository does: those that are named, and those below what is accessible. */
async function listBays(accessible: Accessible, { tenantId }: Principal): Promise<string[]> {
  const above = new Set([
    ...(await accessible.idsOf('garage', 'bays')).map((id) => uriOf('bays', id)),
    ...(await accessible.idsOf('freight', 'orders')).map((id) => uriOf('orders', id)),
    ...(await accessible.idsOf('freight', 'depots')).map((id) => uriOf('depots', id)),
  ]);
  const bays = [...places.values()].filter((place) => place.tenantId === tenantId);
  for (let size = -1; size !== above.size;) {
    size = above.size;
    for (const { id, parents } of bays)
      if (parents.some((parent) => above.has(parent))) above.add(uriOf('bays', id));
  }
  const isListed = ({ id }: Place) => accessible.isEverything || above.has(uriOf('bays', id));
  return bays
    .filter(isListed)
    .map(({ id }) => id)
    .toSorted();
}

@Module({ controllers: [BayController], providers: [BayPolicy] })
class GarageModule {}

/** Numbers that a seed determines (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const SCOPES = {
  bays: 'garage:bay:open',
  orders: 'freight:order:cancel',
  depots: 'freight:order:cancel',
} as const;
type Collection = keyof typeof SCOPES;
const uriOf = (collection: Collection, id: string) =>
  `gatehouse:///${collection === 'bays' ? 'garage' : 'freight'}/${collection}/${id}`;
const collectionOf = (uri: string) => uri.split('/')[4] as Collection;
const idOf = (uri: string) => uri.slice(-26);

/** A role that a member has on a thing. */
interface Assigned {
  readonly id: string;
  readonly member: number;
  readonly on: string;
  ended: boolean;
}

/** What is true of one organization, computed from the graph only. */
class World {
  readonly parents = new Map<string, string[]>();
  readonly assigned: Assigned[] = [];
  /** Things that a partnership offers; null for the whole organization. */
  offered: readonly string[] | null = [];
  /** What each person of the partner has of it; null for all, nothing for who is not on it. */
  readonly placed = new Map<number, readonly string[] | null>();

  get things(): string[] {
    return [...this.parents.keys()];
  }

  /** A thing and what is above it. */
  above(thing: string): Set<string> {
    const found = new Set([thing]);
    for (const one of found) for (const parent of this.parents.get(one) ?? []) found.add(parent);
    return found;
  }

  /** The things on which a person has a role; null for the whole organization. */
  rolesOf(person: number): readonly string[] | null {
    const placed = this.placed.get(person);
    if (placed === undefined)
      return this.assigned.flatMap(({ member, on, ended }) => (member === person && !ended ? [on] : []));
    const { offered } = this;
    return placed && offered ? placed.filter((thing) => offered.includes(thing)) : (placed ?? offered);
  }

  allows(person: number, thing: string): boolean {
    const above = this.above(thing);
    return this.rolesOf(person)?.some((on) => above.has(on)) ?? true;
  }
}

/** Random trees with several parents, of both kinds of things, moves and ends: one decision. */
describe('Roles on things', () => {
  let compared = 0;
  const app = withApp({}, false, [GarageModule]);
  beforeAll(async () => {
    const operator = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(operator.email, 'admin');
    const token = await byTwoFactors(app, operator.token);
    const freight = { title: 'Freight', permissions: [{ scope: SCOPES.orders, title: 'Cancel', roles: [] }] };
    await app.call('PUT', '/api/v1/iam/permissions/freight', freight, { token });
  });

  it(
    'are decided alike by the permission check, commands, AuthZEN, searches and lists',
    async () => {
      for (let round = 0; compared < CASES; round += 1) await walk(SEED + round);
      process.stdout.write(`${compared} cases, PARITY_SEED=${SEED}\n`);
    },
    240_000 + CASES * 50,
  );

  it('keep what a command rests on until it commits, and are never seen in the middle of a move', async () => {
    const organization = await Organization.found(app);
    await organization.call('POST', '/roles', {
      key: 'keeper',
      name: 'Keeper',
      scopes: [...new Set(Object.values(SCOPES))],
    });
    const { token, person } = await organization.join('member');
    const [one, other, middle] = [0, 0, 0].map(() => uriOf('depots', ulid())) as [string, string, string];
    const bay = ulid();
    places.set(bay, { id: bay, tenantId: organization.id, parents: [middle] });
    const assign = (on: string) =>
      organization.call('POST', `/members/${person.id}/assignments`, { role: 'keeper', on });
    const move = async (to: string) => {
      const path = `/things/${middle.slice('gatehouse:///'.length)}`;
      expect((await organization.call('PUT', path, { parents: [to] })).status).toBe(200);
    };
    const open = async () =>
      (await app.call('POST', `/api/v1/garage/bays/${bay}/open`, undefined, { token })).status;
    await move(one);
    await assign(one);
    expect(await open()).toBe(204);
    const order: string[] = [];
    let release = (): void => undefined;
    pause = new Promise((resolve) => (release = resolve));
    const command = open().then((status) => order.push(`command ${status}`));
    const isWaiting = async (event: string) =>
      (
        await app.sql(
          'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE $1 AND wait_event_type LIKE $2',
          [event === 'move' ? 'active' : 'idle in transaction%', event === 'move' ? 'Lock' : 'Client'],
        )
      ).length > 0;
    await eventually('the command has decided', () => isWaiting('command'));
    const moved = move(other).then(() => order.push('move'));
    await eventually('the move waits', () => isWaiting('move'));
    release();
    await Promise.all([command, moved]);
    pause = Promise.resolve();
    expect(order).toEqual(['command 204', 'move']);
    expect(await open()).toBe(403);
    // A role on both: whatever the place in the middle of a move, it is on one of them.
    await assign(other);
    let isMoving = true;
    const moving = (async () => {
      for (let n = 0; n < 40; n += 1) await move(n % 2 === 0 ? one : other);
      isMoving = false;
    })();
    const statuses: number[] = [];
    while (isMoving) statuses.push(await open());
    await moving;
    expect(statuses.length).toBeGreaterThan(5);
    expect(new Set(statuses)).toEqual(new Set([204]));
  });

  async function walk(seed: number): Promise<void> {
    const random = randomOf(seed);
    const organization = await Organization.found(app);
    const scopes = [...new Set(Object.values(SCOPES))];
    await organization.call('POST', '/roles', { key: 'keeper', name: 'Keeper', scopes });
    await organization.call('POST', '/roles', {
      key: 'asker',
      name: 'Asker',
      scopes: ['access:decision:read'],
    });
    const account = await organization.call('POST', '/service-accounts', { name: 'Asker', roles: ['asker'] });
    const keys = `/service-accounts/${String(account.body['id'])}/keys`;
    const asker = String((await organization.call('POST', keys, { name: 'Asker' })).body['key']);
    const members = [await organization.join('member'), await organization.join('member')];
    const partner = await Organization.found(app);
    const staff = [await partner.join('member'), await partner.join('member')];
    const world = new World();
    const offer = { email: partner.owner.person.email, roles: ['keeper'], on: [uriOf('depots', ulid())] };
    const offered = await organization.call('POST', '/partnerships', offer);
    expect(offered).toMatchObject({ status: 201 });
    const partnership = String(offered.body['id']);
    expect(await partner.call('POST', `/partner-access/${partnership}/accept`)).toMatchObject({
      status: 200,
    });
    const ground = { organization, world, members, partner, staff, partnership, asker, random };
    for (let n = 0; n < 14; n += 1) await add(ground);
    for (let n = 0; n < 4; n += 1) await assign(ground);
    await offerThings(ground);
    for (const n of staff.keys()) await place(ground, n);
    for (let step = 0; step < 6 && compared < CASES; step += 1) {
      await compare(ground, seed);
      await change(ground);
    }
  }

  interface Ground {
    readonly organization: Organization;
    readonly world: World;
    readonly members: readonly Member[];
    readonly partner: Organization;
    /** Members of the partner, who follow on the members. */
    readonly staff: readonly Member[];
    readonly partnership: string;
    readonly asker: string;
    readonly random: (below: number) => number;
  }

  /** Up to three parents among the earlier things, so that there is no cycle. */
  const chooseParents = ({ world, random }: Ground, below: string): string[] => {
    const earlier = world.things.filter((one) => one < below || !world.parents.has(below));
    const free = earlier.filter((one) => one !== below && !world.above(one).has(below));
    return [
      ...new Set(Array.from({ length: random(4) }, () => free[random(Math.max(1, free.length))] ?? '')),
    ].filter(Boolean);
  };

  async function put({ organization, world }: Ground, thing: string, parents: string[]): Promise<void> {
    if (collectionOf(thing) === 'bays')
      places.set(idOf(thing), { id: idOf(thing), tenantId: organization.id, parents });
    else {
      const path = `/things/${thing.slice('gatehouse:///'.length)}`;
      const { status, body } = await organization.call('PUT', path, { parents });
      expect({ status, body }).toMatchObject({ status: 200 });
    }
    world.parents.set(thing, parents);
  }

  const add = async (ground: Ground): Promise<void> => {
    const collection = (['bays', 'orders', 'depots', 'depots'] as const)[ground.random(4)] ?? 'bays';
    const thing = uriOf(collection, ulid());
    await put(ground, thing, chooseParents(ground, thing));
  };

  async function assign({ organization, world, members, random }: Ground): Promise<void> {
    const member = random(members.length);
    const on = world.things[random(world.things.length)] ?? '';
    const path = `/members/${members[member]?.person.id}/assignments`;
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const { status, body } = await organization.call('POST', path, {
      role: 'keeper',
      on,
      ...(random(2) === 0 && { until }),
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    world.assigned.push({ id: String(body['id']), member, on, ended: false });
  }

  /** Some of these things, or null for all. */
  const chooseSome = (things: readonly string[], random: Ground['random']): string[] | null =>
    random(4) === 0
      ? null
      : [...new Set([0, 1, 2].map(() => things[random(things.length)] ?? ''))].filter(Boolean);

  /** Offers other things: persons keep of theirs what is still offered. */
  async function offerThings({ organization, world, partnership, random }: Ground): Promise<void> {
    const on = chooseSome(world.things, random);
    const { status, body } = await organization.call('PATCH', `/partnerships/${partnership}`, { on });
    expect({ status, body }).toMatchObject({ status: 200 });
    world.offered = on;
  }

  /** Puts a person of the partner on the partnership with some of its things, or takes them off. */
  async function place(ground: Ground, n: number): Promise<void> {
    const { world, members, partner, staff, partnership, random } = ground;
    const person = members.length + n;
    const path = `/partner-access/${partnership}/people/${staff[n]?.person.id}`;
    if (world.placed.has(person) && random(4) === 0) {
      expect((await partner.call('DELETE', path)).status).toBe(204);
      world.placed.delete(person);
      return;
    }
    const on = chooseSome(world.offered ?? world.things, random);
    const { status, body } = await partner.call('PUT', path, { roles: ['keeper'], ...(on && { on }) });
    expect({ status, body }).toMatchObject({ status: 200 });
    world.placed.set(person, on);
  }

  async function change(ground: Ground): Promise<void> {
    const { world, random, organization, members, staff } = ground;
    const what = random(6);
    const one = world.assigned[random(world.assigned.length)];
    if (what === 0) await add(ground);
    else if (what === 1) {
      const thing = world.things[random(world.things.length)] ?? '';
      await put(ground, thing, chooseParents(ground, thing));
    } else if (what === 2 && one && !one.ended) {
      if (random(2) === 0)
        await app.sql("UPDATE role_assignments SET until = now() - interval '1 second' WHERE id = $1", [
          one.id,
        ]);
      else
        await organization.call('DELETE', `/members/${members[one.member]?.person.id}/assignments/${one.id}`);
      one.ended = true;
    } else if (what === 4) await offerThings(ground);
    else if (what === 5) await place(ground, random(staff.length));
    else await assign(ground);
  }

  /** Callers by number: members, and people of the partner who are on the partnership. */
  async function callersOf({ organization, world, members, staff }: Ground) {
    const callers = members.map(({ person, token }, n) => ({ n, person, token }));
    for (const [i, { person }] of staff.entries()) {
      const n = members.length + i;
      if (world.placed.has(n)) callers.push({ n, person, token: await person.select(organization.id) });
    }
    return callers;
  }

  async function compare(ground: Ground, seed: number): Promise<void> {
    const { organization, world, asker, members, staff } = ground;
    const callers = await callersOf(ground);
    const differing: unknown[] = [];
    const check = (how: string, actual: unknown, expected: unknown): void => {
      compared += Array.isArray(expected) ? Math.max(1, expected.length) : 1;
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        differing.push({ how, actual, expected, seed });
    };
    const questionOf = (thing: string, userId: string) => ({
      subject: { type: 'user', id: userId },
      action: { name: SCOPES[collectionOf(thing)] },
      resource: { type: thing.slice('gatehouse:///'.length, -27), id: idOf(thing) },
    });
    for (const { n, token, person } of callers) {
      const expected = world.things.map((thing) => world.allows(n, thing));
      for (const asking of [token, asker]) {
        const evaluations = world.things.map((thing) => questionOf(thing, person.id));
        const { body } = await app.call('POST', '/access/v1/evaluations', { evaluations }, { token: asking });
        const decisions = (body['evaluations'] as unknown as { decision: boolean }[]).map(
          ({ decision }) => decision,
        );
        check(asking === asker ? 'asked about' : 'AuthZEN', decisions, expected);
      }
      for (const [i, thing] of world.things.entries()) {
        const scope = SCOPES[collectionOf(thing)];
        const { body } = await app.call(
          'POST',
          '/api/auth/can',
          { scopes: [scope], subject: thing },
          { token },
        );
        check('check', (body[scope] as unknown as { allowed: boolean }).allowed, expected[i]);
        if (collectionOf(thing) !== 'bays') continue;
        const command = await app.call('POST', `/api/v1/garage/bays/${idOf(thing)}/open`, undefined, {
          token,
        });
        check('command', command.status, expected[i] === true ? 204 : 403);
      }
      for (const collection of ['orders', 'depots'] as const) {
        const all = world.things.filter((thing) => collectionOf(thing) === collection);
        const allowed = all
          .filter((thing) => world.allows(n, thing))
          .map(idOf)
          .toSorted();
        check(`search ${collection}`, await search(collection, person.id, token), allowed);
        check(`search ${collection} about`, await search(collection, person.id, asker), allowed);
      }
      const bays = world.things.filter((thing) => collectionOf(thing) === 'bays' && world.allows(n, thing));
      const isListed = world.rolesOf(n)?.length !== 0;
      const listed = await app.call('GET', '/api/v1/garage/bays', undefined, { token });
      const ids = bays.map(idOf).toSorted();
      check('list', listed.status === 200 ? listed.body['ids'] : 'none', isListed ? ids : 'none');
    }
    for (const [i, { person }] of staff.entries()) {
      if (world.placed.has(members.length + i)) continue;
      const evaluations = world.things.map((thing) => questionOf(thing, person.id));
      const { body } = await app.call('POST', '/access/v1/evaluations', { evaluations }, { token: asker });
      const decisions = (body['evaluations'] as unknown as { decision: boolean }[]).map(
        (one) => one.decision,
      );
      check(
        'nothing without a partnership',
        decisions,
        world.things.map(() => false),
      );
    }
    for (const thing of world.things.slice(0, 5)) {
      const holders = callers.filter(({ n }) => world.allows(n, thing)).map(({ person }) => person.id);
      const { action, resource } = questionOf(thing, '');
      const { body } = await app.call(
        'POST',
        '/access/v1/search/subject',
        { subject: { type: 'user' }, action, resource },
        { token: asker },
      );
      const found = (body['results'] as unknown as { id: string }[]).map(({ id }) => id);
      check('who', found, [organization.owner.person.id, ...holders].toSorted());
    }
    expect(differing).toEqual([]);
  }

  /** All pages of two. */
  async function search(collection: Collection, userId: string, asking: string): Promise<string[]> {
    const found: string[] = [];
    let token = '';
    do {
      const { body } = await app.call(
        'POST',
        '/access/v1/search/resource',
        {
          subject: { type: 'user', id: userId },
          action: { name: SCOPES[collection] },
          resource: { type: `freight/${collection}` },
          page: { limit: 2, ...(token !== '' && { token }) },
        },
        { token: asking },
      );
      found.push(...(body['results'] as unknown as { id: string }[]).map(({ id }) => id));
      token = (body['page'] as unknown as { next_token: string }).next_token;
    } while (token !== '');
    return found;
  }
});
