import { Organization, Person } from '../support/organization.js';
import { TestApp } from '../support/test-app.js';

describe('Organizations', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('are founded by anybody, who becomes owner', async () => {
    const organization = await Organization.found(app);
    const member = await organization.join('member');
    const { body } = await organization.call('GET', '/members');
    expect(body['items']).toHaveLength(2);
    expect(await app.get('/api/v1/iam/me/tenants', member.person.token)).toMatchObject({
      status: 200,
      body: { items: [{ id: organization.id, roles: ['member'] }] },
    });
    expect(Person).toBeDefined();
  });
});
