import { randomBytes } from 'node:crypto';
import { Organization } from '../../support/organization.js';
import { Pooler } from '../../support/pooler.js';
import { createDatabase, TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

/** pooler.long.spec.ts runs two replicas and more. */
describeWith(['pgbouncer'], 'A service behind a pooler in transaction mode', () => {
  let pooler: Pooler;
  let app: TestApp;
  beforeAll(async () => {
    const direct = await createDatabase();
    pooler = await Pooler.before(direct);
    app = await TestApp.start({
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: direct,
      ROOT_SECRET: randomBytes(32).toString('base64'),
    });
  });
  afterAll(async () => {
    await app.stop();
    await pooler.stop();
  });

  it('mails, signs people in and lets them work in an organization', async () => {
    const organization = await Organization.found(app);
    const { person, token } = await organization.join('member');
    expect((await app.post('refresh', { refreshToken: person.refreshToken })).status).toBe(200);
    const scopes = ['iam:tenant:read', 'iam:tenant:archive'];
    const { body } = await app.call('POST', '/api/auth/can', { scopes }, { token });
    expect(body).toMatchObject({
      'iam:tenant:read': { allowed: true },
      'iam:tenant:archive': { allowed: false, code: 'scope_not_held' },
    });
  });
});
