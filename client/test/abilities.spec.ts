import { Organization } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { ProblemError, type Scope } from '../src/index.js';
import { WatchedClient } from './support.js';

const PROBE = 'POST /api/auth/can';

describe('Permission checks of the client', () => {
  let app: TestApp;
  let organization: Organization;
  let client: WatchedClient;
  beforeAll(async () => {
    app = await TestApp.start();
    organization = await Organization.found(app);
  });
  beforeEach(async () => {
    client = new WatchedClient(app);
    await client.login(organization.owner.person);
    await client.selectTenant(organization.id);
    client.sent.length = 0;
  });
  afterAll(() => app.stop());

  it('returns a decision for each scope, with the reason of a denial', async () => {
    const subject = `gatehouse:///iam/members/${organization.owner.person.id}`;
    const verdicts = await client.can(subject, ['iam:member:read', 'iam:member:remove', 'no:such:thing']);
    expect(verdicts['iam:member:read']).toEqual({ allowed: true });
    expect(verdicts['iam:member:remove']).toEqual({
      allowed: false,
      code: 'state_forbids',
      reason: expect.stringContaining('owner'),
    });
    expect(verdicts['no:such:thing']).toMatchObject({ allowed: false, code: 'unknown_scope' });
  });

  it('batches the checks of one tick by subject', async () => {
    const subject = `gatehouse:///iam/tenants/${organization.id}`;
    const [archive, restore, invite] = await Promise.all([
      client.can(subject, ['iam:tenant:archive']),
      client.can(subject, ['iam:tenant:restore', 'iam:tenant:archive']),
      client.can(null, ['iam:invitation:create']),
    ]);
    expect(archive).toEqual({ 'iam:tenant:archive': { allowed: true } });
    expect(Object.keys(restore)).toEqual(['iam:tenant:restore', 'iam:tenant:archive']);
    expect(restore['iam:tenant:restore'].allowed).toBe(false);
    expect(invite['iam:invitation:create'].allowed).toBe(true);
    expect(client.sent).toEqual([PROBE, PROBE]);
    await client.can(subject, ['iam:tenant:archive']);
    expect(client.sent).toHaveLength(3);
  });

  it('checks more than fifty scopes in several requests, and none without a request', async () => {
    const scopes = Array.from({ length: 101 }, (_, n): Scope => `no:such:thing-${n}`);
    const verdicts = await client.can(null, scopes);
    expect(Object.keys(verdicts)).toEqual(scopes);
    expect(client.sent).toEqual([PROBE, PROBE, PROBE]);
    expect(await client.can(null, [])).toEqual({});
    expect(client.sent).toHaveLength(3);
  });

  it('throws the violations of an invalid check', async () => {
    const asked = [client.can(null, ['Not a scope' as Scope]), client.can(null, ['iam:member:read'])];
    for (const error of await Promise.all(asked.map((work) => work.catch((caught: unknown) => caught)))) {
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({
        code: 'validation-error',
        violations: [{ propertyPath: 'scopes[0]', message: expect.any(String) }],
      });
    }
  });
});
