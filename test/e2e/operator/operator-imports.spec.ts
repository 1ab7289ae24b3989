import { OperatorService } from '../../../src/iam/index.js';
import type { OperatorRole } from '../../../src/kernel/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { HASH_VECTORS, VECTOR_PASSWORDS } from '../../support/hash-vectors.js';
import { Organization, Person } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';

const PATH = '/api/v1/operator/imports';
const NDJSON = 'application/x-ndjson';
const MAX_BYTES = 1024 * 1024;

describe('An import by the API', () => {
  let app: TestApp;
  let admin: string;
  let support: string;
  let counter = 0;
  beforeAll(async () => {
    app = await TestApp.start();
    [admin, support] = [await operator('admin'), await operator('support')];
  });
  afterAll(() => app.stop());

  const operator = async (role: OperatorRole): Promise<string> => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    return byTwoFactors(app, person.token);
  };
  const person = (fields: object = {}) => {
    counter += 1;
    return {
      externalId: `a-${counter}`,
      email: `part-${counter}@example.com`,
      emailVerified: true,
      ...fields,
    };
  };
  const send = async (
    body: string | Buffer,
    {
      token = admin,
      type = NDJSON,
      query = '',
    }: { token?: string | null; type?: string; query?: string } = {},
  ) => {
    const answer = await fetch(new URL(PATH + query, app.url), {
      method: 'POST',
      headers: { 'Content-Type': type, ...(token !== null && { Authorization: `Bearer ${token}` }) },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const lines = (...people: unknown[]) =>
    `${people.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')}\n`;
  const countOf = async (email: string) =>
    (await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).length;

  it('creates people, who sign in with their password, and finds them again', async () => {
    const organization = await Organization.found(app);
    const hash = HASH_VECTORS['bcrypt ($2y$, PHP)']?.plain;
    const first = person({ passwordHash: hash });
    const second = person({ memberships: [{ tenantId: organization.id, roles: ['member'] }] });
    const part = lines(first, second);
    expect(await send(part)).toEqual({
      status: 200,
      body: { imported: 2, unchanged: 0, failed: 0, errors: [] },
    });
    const signedIn = await app.post('login', { email: first.email, password: VECTOR_PASSWORDS.plain });
    expect(signedIn.status).toBe(200);
    expect(await app.sql('SELECT 1 FROM members WHERE tenant_id = $1', [organization.id])).toHaveLength(2);
    expect((await send(part)).body).toEqual({ imported: 0, unchanged: 2, failed: 0, errors: [] });
    const events = await app.get('/api/v1/operator/audit-events', admin);
    expect(JSON.stringify(events.body)).toContain('operator.people-imported');
  });

  it('reports bad lines by number, and keeps the others whole', async () => {
    const [good, half] = [
      person(),
      person({ memberships: [{ tenantId: '01K3V9D7Q8Z4X5N6M7P8R9S0T3', roles: ['member'] }] }),
    ];
    const { body } = await send(lines(good, '', 'no JSON', half));
    expect(body).toMatchObject({ imported: 1, failed: 2, errors: [{ line: 3 }, { line: 4 }] });
    expect([await countOf(good.email), await countOf(half.email)]).toEqual([1, 0]);
  });

  it('does nothing in a dry run', async () => {
    const organization = await Organization.found(app);
    const plain = person();
    const member = person({ memberships: [{ tenantId: organization.id, roles: ['member'] }] });
    const { body } = await send(lines(plain, member, '{}'), { query: '?dryRun=true' });
    expect(body).toMatchObject({ imported: 2, failed: 1 });
    expect([await countOf(plain.email), await countOf(member.email)]).toEqual([0, 0]);
  });

  it('is for administrators alone, and refuses other bodies', async () => {
    const one = person();
    expect((await send(lines(one), { token: null })).status).toBe(401);
    expect((await send(lines(one), { token: support })).status).toBe(403);
    const stranger = await Person.signUp(app);
    expect((await send(lines(one), { token: byTwoFactors(app, stranger.token) })).status).toBe(403);
    const onceProven = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(onceProven.email, 'admin');
    expect((await send(lines(one), { token: onceProven.token })).status).toBe(401);
    expect((await send(lines(one), { type: 'application/json' })).status).toBe(415);
    expect((await send('x'.repeat(MAX_BYTES + 1))).status).toBe(413);
    expect((await send(lines(one), { query: '?dryRun=1' })).status).toBe(400);
    expect(await countOf(one.email)).toBe(0);
  });

  it('refuses a large body of others before it is read, and takes one of the largest size', async () => {
    expect((await send('x'.repeat(MAX_BYTES), { token: support })).status).toBe(403);
    const filled = lines(person()).padEnd(MAX_BYTES, '\n');
    expect((await send(filled, { type: `${NDJSON}; charset=utf-8` })).body).toMatchObject({ imported: 1 });
  });

  it('takes no body at all for no people', async () => {
    expect(await send('')).toEqual({
      status: 200,
      body: { imported: 0, unchanged: 0, failed: 0, errors: [] },
    });
  });
});
