import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

/** More than a page of the API has by default. */
const MANY = 60;

/** Pixels by which the page or one of its tables is wider than what is shown of it. */
const OVERFLOW = `Math.max(...[...document.querySelectorAll('.table-frame'), document.documentElement]
  .map((frame) => frame.scrollWidth - frame.clientWidth))`;

describeWith([CHROMIUM], 'Tables of what an organization has', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const open = async (path: string): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/${path}`);
    await visitor.signIn(organization.owner.person);
  };
  const subscribe = async (url: string, description?: string): Promise<string> => {
    const body = { url, types: ['*'], ...(description !== undefined && { description }) };
    const created = await app.call('POST', '/api/v1/webhooks/subscriptions', body, organization.owner);
    return String(created.body['id']);
  };
  /** Returns the first words of the rows. */
  const names = async (): Promise<string[]> => {
    const cells = visitor.page.getByRole('row').locator('td[data-column=name] > :is(a, strong)');
    await cells.first().waitFor();
    return cells.allInnerTexts();
  };

  it('show, sort and search all roles, and keep both in the address', async () => {
    for (let n = 1; n <= MANY; n++) {
      const role = { key: `shift-${n}`, name: `Shift ${n}`, scopes: ['iam:member:read'] };
      expect((await organization.call('POST', '/roles', role)).status).toBe(201);
    }
    await open('roles');
    await visitor.reads(`${MANY + 3} roles`);
    expect((await names()).slice(0, 5)).toEqual(['Admin', 'Member', 'Owner', 'Shift 1', 'Shift 2']);
    await visitor.press('Permissions');
    await visitor.press('Permissions');
    expect((await names())[0]).toBe('Owner');
    await visitor.fill('Search by name or key', 'HIFT 60');
    await visitor.reads('1 role');
    await visitor.page.waitForURL(/sort=-permissions&q=HIFT\+60$/);
    await visitor.page.reload();
    expect(await names()).toEqual(['Shift 60']);
    await visitor.press('1 permission');
    const permissions = visitor.page.getByRole('dialog', { name: 'Permissions of Shift 60' });
    await permissions.locator('summary').click();
    await permissions.getByText('iam:member:read').waitFor();
    await permissions.getByRole('button', { name: 'Close' }).click();
    await visitor.press('Show members Shift 60');
    await visitor.sees('Members');
    expect(new URL(visitor.page.url()).search).toBe('?role=shift-60');
    await visitor.press('Invite members');
    const invite = visitor.page.getByRole('dialog');
    await invite.getByRole('checkbox', { name: 'Shift 60' }).waitFor({ state: 'attached' });
  });

  it('sort apps, APIs and service accounts, and find them by any part', async () => {
    const redirectUris = ['https://app.example.com/callback'];
    for (const [name, type] of [
      ['Zebra', 'public'],
      ['Grafana', 'confidential'],
    ])
      await organization.call('POST', '/clients', { name, type, redirectUris });
    for (const name of ['Orders', 'Billing'])
      await organization.call('POST', '/apis', {
        identifier: `https://${name.toLowerCase()}.example.com`,
        name,
        scopes: [],
      });
    for (const name of ['Nightly export', 'Carrier bridge'])
      await organization.call('POST', '/service-accounts', { name, roles: ['member'] });
    await open('apps');
    expect(await names()).toEqual(['Grafana', 'Zebra']);
    await visitor.press('Type');
    expect(await names()).toEqual(['Zebra', 'Grafana']);
    await visitor.fill('Search by name or client id', 'no-such-app');
    await visitor.reads('No app found');
    await visitor.goto(`/organizations/${organization.id}/apps?sort=constructor`);
    expect(await names()).toEqual(['Grafana', 'Zebra']);
    await visitor.goto(`/organizations/${organization.id}/apis?sort=-name`);
    expect(await names()).toEqual(['Orders', 'Billing']);
    await visitor.fill('Search by name, identifier or scope', 'ders.ex');
    await visitor.reads('1 API');
    await visitor.goto(`/organizations/${organization.id}/service-accounts?q=ridge`);
    expect(await names()).toEqual(['Carrier bridge']);
    await visitor.page.getByRole('button', { name: /Status/ }).click();
    await visitor.page.getByRole('option', { name: 'Disabled' }).click();
    await visitor.reads('No service account found');
  });

  it('sort workers, stations, directories, connections, partners and webhooks', async () => {
    for (const [number, firstName] of [
      ['7', 'Alan'],
      ['20', 'Ada'],
    ])
      await organization.call('POST', '/workers', { number, firstName, roles: ['member'] });
    for (const [name, place] of [
      ['Zone', 'Attic'],
      ['Gate', 'Cellar'],
    ]) {
      await organization.call('POST', '/stations', { name, place });
      await organization.call('POST', '/directories', { name });
      const email = `${String(name).toLowerCase()}@carrier.example`;
      expect((await organization.call('POST', '/partnerships', { email, roles: ['member'] })).status).toBe(
        201,
      );
    }
    await subscribe('https://zone.example.com/');
    await subscribe('https://gate.example.com/');
    await open('workers');
    expect(await names()).toEqual(['Ada', 'Alan']);
    await visitor.reads('2 workers');
    await visitor.press('Number');
    await visitor.page.waitForURL(/sort=number/);
    await visitor.press('Number');
    await visitor.page.locator('tr:first-child td').getByText('Alan').first().waitFor();
    expect(await names()).toEqual(['Alan', 'Ada']);
    const sorted = async (path: string) => {
      await visitor.goto(`/organizations/${organization.id}/${path}`);
      return names();
    };
    expect(await sorted('stations')).toEqual(['Gate', 'Zone']);
    await visitor.reads('2 stations');
    expect(await sorted('stations?sort=place')).toEqual(['Zone', 'Gate']);
    expect(await sorted('stations?sort=constructor')).toEqual(['Gate', 'Zone']);
    expect(await sorted('directories')).toEqual(['Gate', 'Zone']);
    expect(await sorted('directories?sort=-name')).toEqual(['Zone', 'Gate']);
    expect(await sorted('partners')).toEqual(['gate@carrier.example', 'zone@carrier.example']);
    expect(await sorted('partners?sort=-name')).toEqual(['zone@carrier.example', 'gate@carrier.example']);
    expect(await sorted('webhooks')).toEqual(['gate.example.com', 'zone.example.com']);
    expect(await sorted('webhooks?sort=-name')).toEqual(['zone.example.com', 'gate.example.com']);
    expect(await sorted('service-accounts?sort=-name')).toEqual(['Nightly export', 'Carrier bridge']);
    await visitor.press('Name');
    expect(await names()).toEqual(['Carrier bridge', 'Nightly export']);
  });

  it('fit a phone without scrolling sideways, also with long names', async () => {
    const name = 'Warehouse of the northern harbour, second hall';
    const redirectUris = ['https://app.example.com/callback'];
    await organization.call('POST', '/roles', { key: 'long', name, scopes: ['iam:member:read'] });
    await organization.call('POST', '/clients', { name, type: 'public', redirectUris });
    await organization.call('POST', '/apis', { identifier: 'https://long.example.com', name, scopes: [] });
    await organization.call('POST', '/workers', { number: '1', firstName: name, roles: ['member'] });
    await organization.call('POST', '/stations', { name });
    await organization.call('POST', '/directories', { name });
    const account = await organization.call('POST', '/service-accounts', { name, roles: ['member'] });
    await organization.call('POST', '/connections', {
      kind: 'oidc',
      name,
      settings: { issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: 'x'.repeat(32) },
    });
    const email = `${name.toLowerCase().replace(/\W+/g, '-')}@carrier.example`;
    await organization.call('POST', '/partnerships', { email, roles: ['member'] });
    await organization.call('POST', '/invitations', { email, roles: ['member'] });
    const subscription = await subscribe('https://long.example.com/', name);
    await app.call(
      'POST',
      `/api/v1/webhooks/subscriptions/${subscription}/test`,
      { type: 'iam.member.roles-changed' },
      organization.owner,
    );
    await open('roles');
    await visitor.sees('Roles');
    await visitor.page.setViewportSize({ width: 320, height: 700 });
    const hidden: Record<string, number> = {};
    const paths = [
      'roles',
      'apps',
      'apis',
      'workers',
      'stations',
      'members',
      'invitations',
      'service-accounts',
    ].concat([
      'directories',
      'single-sign-on',
      'partners',
      'webhooks',
      `webhooks/${subscription}`,
      `service-accounts/${String(account.body['id'])}`,
    ]);
    for (const path of paths) {
      await visitor.goto(`/organizations/${organization.id}/${path}`);
      await visitor.page.locator('tbody tr, .facts').first().waitFor();
      hidden[path] = Number(await visitor.page.evaluate(OVERFLOW));
    }
    await visitor.page.setViewportSize({ width: 1_280, height: 844 });
    expect(hidden).toEqual(Object.fromEntries(paths.map((path) => [path, 0])));
  });
});
