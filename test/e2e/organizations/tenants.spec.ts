import { TenantService } from '../../../src/iam/index.js';
import { Database } from '../../../src/platform/database/index.js';
import { Organization, Person } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, withApp } from '../../support/test-app.js';

const TENANTS = '/api/v1/iam/tenants';
const MINE = '/api/v1/iam/me/tenants';

describe('Organizations', () => {
  const app = withApp();

  const create = (token: string, body: object = {}) => app.call('POST', TENANTS, body, { token });

  it('are created by any person, who becomes their owner', async () => {
    const ada = await Person.signUp(app);
    const { status, body } = await create(ada.token, { name: 'Lovelace Logistics' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['id', 'name', 'status', 'createdAt']);
    expect(body).toMatchObject({ name: 'Lovelace Logistics', status: 'active' });
    expect((await app.get(MINE, ada.token)).body).toEqual({
      items: [{ id: body['id'], name: 'Lovelace Logistics', status: 'active', roles: ['owner'] }],
      nextCursor: null,
    });
  });

  it('are named after the company of the registration by default', async () => {
    const ada = await Person.signUp(app);
    expect((await create(ada.token)).body).toMatchObject({
      type: '/errors/validation-error',
      violations: [{ propertyPath: 'name' }],
    });
    await app.call('PATCH', '/api/v1/iam/me', { company: 'Lovelace GmbH' }, { token: ada.token });
    expect((await create(ada.token)).body).toMatchObject({ name: 'Lovelace GmbH' });
    expect((await create(ada.token, { name: 'Second' })).body).toMatchObject({ name: 'Second' });
  });

  it('are read and renamed with the scope', async () => {
    const organization = await Organization.found(app);
    const { token } = await organization.join('member');
    const renamed = await organization.call('PATCH', '', { name: 'Babbage & Co' });
    expect(renamed).toMatchObject({ status: 200, body: { id: organization.id, name: 'Babbage & Co' } });
    expect((await organization.call('GET', '', undefined, token)).body).toMatchObject({
      name: 'Babbage & Co',
      status: 'active',
    });
    expect(await organization.call('PATCH', '', { name: 'Mine' }, token)).toMatchObject({
      status: 403,
      body: { type: '/errors/forbidden', code: 'scope_not_held' },
    });
  });

  it('have a slug, which is left out until it is set', async () => {
    const organization = await Organization.found(app);
    const ada = await Person.signUp(app);
    const slug = `lovelace-${organization.id.slice(-8).toLowerCase()}`;
    const set = (body: object) => organization.call('PATCH', '', body);
    const read = async () => (await organization.call('GET', '')).body;
    expect(await read()).not.toHaveProperty('slug');
    const named = await set({ slug });
    expect(named).toMatchObject({ status: 200, body: { name: (await read())['name'], slug } });
    expect((await app.get(MINE, organization.owner.person.token)).body['items']).toMatchObject([{ slug }]);
    expect(await create(ada.token, { name: 'Second', slug })).toMatchObject({
      status: 409,
      body: { detail: 'Another organization has this name in its address. Choose another one.' },
    });
    expect((await app.get(MINE, ada.token)).body['items']).toEqual([]);
    const second = await create(ada.token, { name: 'Second', slug: `${slug}-2` });
    expect(second).toMatchObject({ status: 201, body: { slug: `${slug}-2` } });
    expect((await set({ slug: `${slug}-2` })).status).toBe(409);
    expect(await set({ name: 'Both', slug: null })).toMatchObject({ body: { name: 'Both' } });
    expect(await read()).not.toHaveProperty('slug');
    const { token } = await organization.join('member');
    expect((await organization.call('PATCH', '', { slug }, token)).status).toBe(403);
    expect(
      (await organization.call('GET', '/audit-events?action=tenant.slug-changed')).body['items'],
    ).toHaveLength(2);
  });

  it.each([
    ['Lovelace', 'slug'],
    ['lo', 'slug'],
    ['-lovelace', 'slug'],
    ['love--lace', 'slug'],
    ['love_lace', 'slug'],
    ['löwe', 'slug'],
    ['l'.repeat(51), 'slug'],
    ['gatehouse', 'slug'],
    ['gate-house-team', 'slug'],
    ['my-g4tehouse', 'slug'],
    ['signin', 'slug'],
    ['log-in', 'slug'],
    ['01k3v9d7q8z4x5n6m7p8r9s0t1', 'slug'],
    [undefined, 'name'],
  ])('reject the slug %s', async (slug, propertyPath) => {
    const organization = await Organization.found(app);
    expect(
      (await organization.call('PATCH', '', { ...(slug !== undefined && { slug }) })).body,
    ).toMatchObject({ type: '/errors/validation-error', violations: [{ propertyPath }] });
  });

  it('keep their former slugs from others, and can have them again', async () => {
    const [first, second] = [await Organization.found(app), await Organization.found(app)];
    const set = async (one: Organization, slug: string | null) =>
      (await one.call('PATCH', '', { slug })).status;
    const slug = (n: number) => `former-${n}-${first.id.slice(-8).toLowerCase()}`;
    for (const n of [0, 1, 2, 3, 4, 5]) expect(await set(first, slug(n))).toBe(200);
    expect(await set(first, null)).toBe(200);
    expect(await set(second, slug(5))).toBe(409);
    expect(await set(second, slug(1))).toBe(409);
    const { token } = await Person.signUp(app);
    expect((await create(token, { name: 'Third', slug: slug(5) })).status).toBe(409);
    expect(await set(second, slug(0))).toBe(200); // of five at most
    expect(await set(first, slug(1))).toBe(200);
    expect(await set(first, slug(1))).toBe(200);
    expect(await app.sql('SELECT slug, former_slugs FROM tenants WHERE id = $1', [first.id])).toEqual([
      { slug: slug(1), former_slugs: [5, 4, 3, 2].map(slug) },
    ]);
  });

  it('keep a slug from another that takes it while they give it up', async () => {
    const [first, second] = [await Organization.found(app), await Organization.found(app)];
    const slug = `given-up-${first.id.slice(-8).toLowerCase()}`;
    await first.call('PATCH', '', { slug });
    const tenants = app.app.get(TenantService, { strict: false });
    let taking: Promise<Answer>;
    await app.app.get(Database, { strict: false }).transaction(async () => {
      await tenants.update(first.owner.person.id as never, first.id as never, { slug: null });
      taking = second.call('PATCH', '', { slug });
      await eventually('it waits', async () => (await app.waitingForLocks()) > 0);
    });
    expect((await taking!).status).toBe(409);
  });

  it('of several that take one slug at once, one gets it', async () => {
    const organizations = await Promise.all(Array.from({ length: 5 }, () => Organization.found(app)));
    const slug = `raced-${organizations[0]?.id.slice(-8).toLowerCase() ?? ''}`;
    const answers = await Promise.all(organizations.map((one) => one.call('PATCH', '', { slug })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
  });

  it('are archived and restored by owners only, and cannot be changed while archived', async () => {
    const organization = await Organization.found(app);
    const { token } = await organization.join('admin');
    const archive = (as?: string) => organization.call('POST', '/archive', undefined, as);
    const restore = () => organization.call('POST', '/restore');
    expect((await archive(token)).body).toMatchObject({ code: 'scope_not_held' });
    expect((await restore()).body).toMatchObject({
      code: 'state_forbids',
      detail: 'The organization is not archived.',
    });
    expect((await archive()).body).toMatchObject({ status: 'archived' });
    expect((await archive()).body).toMatchObject({ detail: 'The organization is archived already.' });
    const frozen = await Promise.all([
      organization.call('PATCH', '', { name: 'New' }),
      organization.call('POST', '/invitations', { email: 'eve@example.com', roles: ['member'] }),
      organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [] }),
    ]);
    for (const answer of frozen) {
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'state_forbids', detail: 'The organization is archived. Restore it first.' },
      });
    }
    expect((await organization.call('GET', '/members', undefined, token)).status).toBe(200);
    expect((await restore()).body).toMatchObject({ status: 'active' });
    expect((await organization.call('PATCH', '', { name: 'New' })).status).toBe(200);
  });

  it('are reached only while selected, even by a member of two', async () => {
    const first = await Organization.found(app);
    const second = await Organization.found(app, first.owner.person);
    const unknown = await app.get(`${TENANTS}/01ARZ3NDEKTSV4RRFFQ69G5FAV`, first.owner.token);
    const other = await app.get(second.path, first.owner.token);
    expect(other).toMatchObject({ status: 404, body: { code: 'subject_not_found' } });
    expect({ ...other.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
    expect((await app.get(second.path, second.owner.token)).status).toBe(200);
  });

  it('require a selected tenant', async () => {
    const organization = await Organization.found(app);
    expect(await app.get(organization.path, organization.owner.person.token)).toMatchObject({
      status: 403,
      body: { type: '/errors/forbidden', code: 'tenant_required', detail: 'Select an organization first.' },
    });
  });

  it('are listed in pages', async () => {
    const ada = await Person.signUp(app);
    const made: unknown[] = [];
    for (const name of ['One', 'Two', 'Three']) made.push((await create(ada.token, { name })).body['name']);
    const first = await app.get(`${MINE}?limit=2`, ada.token);
    const cursor = String(first.body['nextCursor']);
    const second = await app.get(`${MINE}?limit=2&cursor=${cursor}`, ada.token);
    const names = [first, second].map((page) => itemsOf<{ name: string }>(page).map(({ name }) => name));
    expect(names.map(({ length }) => length)).toEqual([2, 1]);
    expect(names.flat()).toEqual(made);
    expect(second.body['nextCursor']).toBeNull();
  });

  it.each([
    ['cursor=nonsense', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1&limit=2', 'limit'],
  ])('reject the query %s', async (query, propertyPath) => {
    const ada = await Person.signUp(app);
    expect((await app.get(`${MINE}?${query}`, ada.token)).body).toMatchObject({
      type: '/errors/validation-error',
      violations: [{ propertyPath }],
    });
  });
});
