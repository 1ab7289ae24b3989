import { TestTotp } from '../../test/support/factors.js';
import { Organization, Person } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { memoryStorage, ProblemError, type OnStepUp } from '../src/index.js';
import { believing, WatchedClient } from './support.js';

const SELECTED = '/api/v1/iam/tenants/{id}';

describe('An organization with a sign-in policy, at the client', () => {
  let app: TestApp;
  let organization: Organization;
  let person: Person;
  let totp: TestTotp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    organization = await Organization.found(app);
    ({ person } = await organization.join('member'));
    totp = await TestTotp.enrol(app, (await Person.again(person)).token);
  });

  async function setPolicy(policy: object): Promise<void> {
    const { person: owner } = organization.owner;
    await TestTotp.enrol(app, owner.token);
    const token = await owner.select(organization.id);
    const { status } = await organization.call('PUT', '/sign-in-policy', policy, token);
    expect(status).toBe(200);
  }

  /** A client in the member's session of one factor. */
  async function clientOf(onStepUp?: OnStepUp, network?: typeof fetch): Promise<WatchedClient> {
    const storage = memoryStorage();
    const { sessionId, refreshToken } = person;
    await storage.write({ sessionId, refreshToken });
    return new WatchedClient(app, {
      storage,
      ...(onStepUp && { onStepUp }),
      ...(network && { fetch: network }),
    });
  }

  const byApp: OnStepUp = () => Promise.resolve({ method: 'totp', code: totp.next() });
  const read = (client: WatchedClient) => client.get(SELECTED, { params: { path: { id: organization.id } } });

  it('is selected after the user has confirmed', async () => {
    await setPolicy({ secondFactor: 'required' });
    const asked: unknown[] = [];
    const client = await clientOf((needed) => {
      asked.push(needed);
      return byApp(needed);
    });
    expect(await client.selectTenant(organization.id)).toBe(organization.id);
    expect(asked).toEqual([
      { acr: 'aal2', maxAge: null, methods: ['totp', 'recovery_code'], enrol: false, ownProof: false },
    ]);
    expect((await read(client)).status).toBe(200);
  });

  it('is refused without a confirmation, and nothing else is', async () => {
    await setPolicy({ secondFactor: 'required' });
    for (const client of [await clientOf(), await clientOf(() => Promise.resolve(null))]) {
      const refusal = await client.selectTenant(organization.id).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ProblemError);
      expect((refusal as ProblemError).stepUp).toMatchObject({ acr: 'aal2' });
      expect(client.tenantId).toBeNull();
      expect((await client.get('/api/v1/iam/me')).data.id).toBe(person.id);
    }
  });

  it('stays selected over a confirmation, with a token that it refuses', async () => {
    const client = await clientOf(byApp);
    await client.selectTenant(organization.id);
    await setPolicy({ secondFactor: 'required' });
    expect((await read(client)).status).toBe(200);
    expect(client.tenantId).toBe(organization.id);
  });

  it('is selected again after a refresh that it refuses', async () => {
    const client = await clientOf(byApp, believing(0)); // each call refreshes
    await client.selectTenant(organization.id);
    await setPolicy({ secondFactor: 'required' });
    expect((await read(client)).status).toBe(200);
    expect(client.tenantId).toBe(organization.id);
    expect(client.events).toContainEqual(['tenant', { tenantId: null }]);
  });

  it('is left at a refresh that it refuses, if the user does not confirm', async () => {
    const client = await clientOf(() => Promise.resolve(null), believing(0));
    await client.selectTenant(organization.id);
    await setPolicy({ secondFactor: 'required' });
    await expect(read(client)).rejects.toMatchObject({ code: 'insufficient-user-authentication' });
    expect(client.tenantId).toBeNull();
    expect((await client.get('/api/v1/iam/me')).data.id).toBe(person.id);
  });

  it('is selected again if the refresh is refused during the confirmation', async () => {
    let hasExpired = false;
    const client = await clientOf(
      async (needed) => {
        expect((await client.post('/api/v1/iam/auth/step-up/options', { body: {} })).data.methods).toContain(
          'totp',
        );
        return byApp(needed);
      },
      (input, init) => {
        if (hasExpired || !(input as Request).url.endsWith('/step-up/options')) return fetch(input, init);
        hasExpired = true;
        const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
        return Promise.resolve(new Response(null, { status: 401, headers }));
      },
    );
    await client.selectTenant(organization.id);
    await setPolicy({ secondFactor: 'required' });
    expect((await read(client)).status).toBe(200);
    expect(client.tenantId).toBe(organization.id);
    expect(hasExpired).toBe(true);
  });

  it('says until when it is entered without a second factor', async () => {
    const client = await clientOf();
    await client.selectTenant(organization.id);
    expect(client.secondFactorBy).toBeNull();
    await setPolicy({ secondFactor: 'required', graceDays: 7 });
    await client.selectTenant(null);
    await client.selectTenant(organization.id);
    expect(Date.parse(client.secondFactorBy ?? '')).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  });
});
