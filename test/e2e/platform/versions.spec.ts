import { setTimeout as sleep } from 'node:timers/promises';
import { Organization, type Person } from '../../support/organization.js';
import { signUpOperator, TestSatellite } from '../../support/satellite.js';
import { type Answer, withApp } from '../../support/test-app.js';

const STRONG = /^"[\w-]{27}"$/;

/** A resource, a change of it, and who changes it. */
interface Changeable {
  readonly path: string;
  readonly token: string;
  /** Default: PATCH. */
  readonly method?: string;
  readonly changes: readonly [object, object];
}

describe('A resource that can be changed', () => {
  let organization: Organization;
  let member: Person;
  let operator: Person;
  const app = withApp();
  beforeAll(async () => {
    operator = await signUpOperator(app);
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
    member = (await organization.join('member')).person;
  });

  const RESOURCES: Record<string, () => Promise<Changeable>> = {
    'an account': async () => ({
      path: '/api/v1/iam/me',
      token: member.token,
      changes: [{ firstName: 'Grace' }, { firstName: 'Alan' }],
    }),
    'an organization': async () => ({
      path: organization.path,
      token: organization.owner.token,
      changes: [{ name: 'First' }, { name: 'Second' }],
    }),
    'a sign-in policy': async () => ({
      path: `${organization.path}/sign-in-policy`,
      token: organization.owner.token,
      method: 'PUT',
      changes: [{ maxAuthAgeSeconds: 3_600 }, { maxAuthAgeSeconds: 7_200 }],
    }),
    'a role': async () => ({
      path: `${organization.path}/roles/${await createRole()}`,
      token: organization.owner.token,
      changes: [{ name: 'First' }, { name: 'Second' }],
    }),
    'a member': async () => ({
      path: `${organization.path}/members/${member.id}`,
      token: organization.owner.token,
      changes: [{ roles: ['admin'] }, { roles: ['admin', 'member'] }],
    }),
    'a satellite': async () => ({
      path: `/api/v1/iam/satellites/${(await TestSatellite.register(app)).clientId}`,
      token: operator.token,
      changes: [{ name: 'First' }, { name: 'Second' }],
    }),
  };
  const cases = Object.entries(RESOURCES);

  async function createRole(): Promise<string> {
    const role = { key: 'clerk', name: 'Clerk', scopes: ['iam:member:read'] };
    const { status, body } = await organization.call('POST', '/roles', role);
    expect(status).toBe(201);
    return String(body['id']);
  }

  const read = ({ path, token }: Changeable) => app.get(path, token);
  const send = (method: string, { path, token }: Changeable, body: object | undefined, ifMatch?: string) =>
    app.call(method, path, body, {
      token,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  const change = (of: Changeable, ifMatch?: string, nth: 0 | 1 = 0) =>
    send(of.method ?? 'PATCH', of, of.changes[nth], ifMatch);
  const tagOf = ({ headers }: Answer) => headers.get('etag') ?? '';

  it.each(cases)('%s has a strong ETag that changes with it and with nothing else', async (_, find) => {
    const resource = await find();
    const [first, again] = [await read(resource), await read(resource)];
    expect([first.status, tagOf(first), tagOf(again)]).toEqual([
      200,
      expect.stringMatching(STRONG),
      tagOf(first),
    ]);
    const changed = await change(resource);
    expect([changed.status, tagOf(changed)]).toEqual([200, expect.stringMatching(STRONG)]);
    expect(tagOf(changed)).not.toBe(tagOf(first));
    const after = await read(resource);
    expect([after.body, tagOf(after)]).toEqual([changed.body, tagOf(changed)]);
  });

  it.each(cases)('%s is changed if it is as it was read, and not otherwise', async (_, find) => {
    const resource = await find();
    const tag = tagOf(await read(resource));
    expect((await change(resource, tag, 0)).status).toBe(200);
    const changed = await read(resource);
    const late = await change(resource, tag, 1);
    expect([late.status, late.body['type']]).toEqual([412, '/errors/precondition-failed']);
    expect((await read(resource)).body).toEqual(changed.body);
    expect((await change(resource, tagOf(changed), 1)).status).toBe(200);
  });

  it.each(cases)('%s is changed by one of ten who have read the same', async (_, find) => {
    const resource = await find();
    const tag = tagOf(await read(resource));
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(resource, tag)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(412)]);
  });

  it.each<[string, (tag: string) => string, number]>([
    ['several tags, one of them current', (tag) => `"other", ${tag}`, 200],
    ['tags without blanks', (tag) => `"other",${tag}`, 200],
    ['any', () => '*', 200],
    ['other tags', () => '"other", "another"', 412],
    ['a weak tag, which If-Match never takes', (tag) => `W/${tag}`, 412],
    ['a tag without quotation marks', (tag) => tag.replaceAll('"', ''), 400],
    ['no end', (tag) => `${tag}, `, 400],
    ['any and a tag', (tag) => `*, ${tag}`, 400],
  ])('If-Match takes %s', async (_, of, expected) => {
    const resource = await RESOURCES['an organization']!();
    const answer = await change(resource, of(tagOf(await read(resource))));
    expect(answer.status).toBe(expected);
    if (expected === 400) expect(answer.body).toMatchObject({ violations: [{ propertyPath: 'If-Match' }] });
  });

  it('is not deleted if it has changed since', async () => {
    for (const find of [RESOURCES['a role']!, RESOURCES['a member']!]) {
      const resource = await find();
      const tag = tagOf(await read(resource));
      await change(resource);
      expect((await send('DELETE', resource, undefined, tag)).status).toBe(412);
      const changed = tagOf(await read(resource));
      expect((await send('DELETE', resource, undefined, changed)).status).toBe(204);
      expect((await read(resource)).status).toBe(404);
    }
  });

  it('tells nothing by its tag to those who may not read it', async () => {
    const { person: outsider, token } = (await Organization.found(app)).owner;
    const resource = { ...(await RESOURCES['an organization']!()), token };
    const answers = [
      await change(resource, '"any"'),
      await change({ ...resource, token: outsider.token }, '"any"'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('etag')])).toEqual([
      [404, null],
      [403, null],
    ]);
  });

  it('keeps the tag of a member who works', async () => {
    const resource = await RESOURCES['a member']!();
    const tag = tagOf(await read(resource));
    const { body } = await app.post('refresh', {
      refreshToken: member.refreshToken,
      tenantId: organization.id,
    });
    expect(body).toHaveProperty('accessToken');
    await sleep(10);
    expect(tagOf(await read(resource))).toBe(tag);
  });

  it('is found where the response to its creation says', async () => {
    const created = [
      await organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [] }),
      await organization.call('POST', '/invitations', { email: 'new@example.com', roles: ['member'] }),
    ];
    for (const { headers, body } of created) {
      const found = await app.get(headers.get('location') ?? '', organization.owner.token);
      expect([found.status, found.body]).toEqual([200, body]);
    }
    const unknown = '01K3V9D7Q8Z4X5N6M7P8R9S0T1';
    for (const collection of ['roles', 'invitations', 'members'])
      expect((await organization.call('GET', `/${collection}/${unknown}`)).status).toBe(404);
  });

  it('of another organization is not found', async () => {
    const other = await Organization.found(app);
    const paths = [`/roles/${await createRole()}`, `/members/${member.id}`];
    for (const path of paths) expect((await other.call('GET', path)).status).toBe(404);
  });
});
