import { ulid } from 'ulid';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { ScimDirectory } from '../support/scim-directory.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const PHONE = { width: 390, height: 844 };
const DAY_MS = 24 * 3_600_000;

/** What was found wrong when every page was looked at as a new user would. */
describeWith([CHROMIUM], 'The pages of the portal, as a new user meets them', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const at = (page: string) => `/organizations/${organization.id}/${page}`;
  const open = async (page: string, person = organization.owner.person): Promise<void> => {
    await visitor.goto(page);
    await visitor.signIn(person);
  };

  const refusedRequests = (): readonly string[] => {
    const refused: string[] = [];
    visitor.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    return refused;
  };

  it('have one primary button in each form, which submits it', async () => {
    await organization.call('POST', '/apis', { identifier: 'https://a.example', name: 'A', scopes: [] });
    const forms = () =>
      visitor.page.locator('main form').evaluateAll((all) =>
        all.map((form) =>
          [...form.querySelectorAll('.button.primary')]
            .filter((one) => one.closest('.look-preview') === null)
            .map((one) => one.getAttribute('type'))
            .join(),
        ),
      );
    await open(at('settings'));
    await visitor.sees('Settings');
    for (const [page, count, wait] of [
      [at('settings'), 4, 'Sender of emails'],
      [at('service-accounts'), 1, 'Save rules'],
      [at('agents'), 1, 'Ask the member again after'],
      [at('sign-in-policy'), 1, 'Shared stations'],
      ['/account', 2, 'New email address'],
    ] as const) {
      await visitor.goto(page);
      if (page === at('agents')) await visitor.reads('Allowed agents');
      else await visitor.reads(wait);
      await eventually(`the forms of ${page}`, async () => {
        const found = await forms();
        return found.length >= Math.min(count, 1) && found.every((types) => types === 'submit');
      });
    }
  });

  it('ask nothing that the roles of a member do not allow, and say whom to ask', async () => {
    await organization.call('POST', '/roles', { key: 'nothing', name: 'Nothing', scopes: [] });
    const refused = refusedRequests();
    const { person: member } = await organization.join('nothing');
    await open(at(''), member);
    await visitor.sees('Settings');
    await visitor.reads(/^You need the permission iam:tenant:read to see this\. Ask an owner/);
    await visitor.page.getByRole('button', { name: 'Leave organization' }).waitFor();
    for (const [page, scope] of [
      ['members', 'iam:member:read'],
      ['roles', 'iam:role:read'],
    ] as const) {
      await visitor.goto(at(page));
      await visitor.sees('You cannot see this page');
      await visitor.reads(`You need the permission ${scope} to see this.`);
    }
    expect(refused).toEqual([]);
  });

  it('list members to one who may not read roles, without a refused request', async () => {
    const scopes = ['iam:tenant:read', 'iam:member:read'];
    await organization.call('POST', '/roles', { key: 'reader', name: 'Reader', scopes });
    const refused = refusedRequests();
    const reader = await organization.join('reader');
    await open(at('members'), reader.person);
    await visitor.reads('2 members');
    await visitor.goto(at('settings'));
    await visitor.reads('You are a member here');
    expect(refused).toEqual([]);
  });

  it('name an address that was invited, next to those that were not', async () => {
    await open(at('invitations?new'));
    const dialog = visitor.page.getByRole('dialog', { name: 'Invite members' });
    await dialog.getByRole('textbox').fill('ada.example.com\nfive@@example.com\ngrace@example.com');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByText('2 addresses were not invited').waitFor();
    await visitor.reads('Invitation to grace@example.com sent.');
  });

  it('fit a phone with what a session has added', async () => {
    const { token, person } = organization.owner;
    const clientId = 'https://agent-of-a-long-name.example.com/client.json';
    await app.sql(
      "INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, granted_scopes, idle_expires_at) VALUES ($1, $2, $3, $4, $5, '{}', now() + interval '1 day')",
      [ulid(), person.sessionId, person.id, clientId, organization.id],
    );
    const key = {
      name: 'A script that writes the labels of the night to the printers of the dock',
      tenantId: organization.id,
      expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
    };
    expect((await app.call('POST', '/api/v1/iam/me/keys', key, { token })).status).toBe(201);
    await visitor.page.setViewportSize(PHONE);
    await open('/account/sessions', person);
    await visitor.reads('Added in your sessions');
    await visitor.reads(clientId);
    expect(
      await visitor.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
  });

  it('keep the text of a request as wide as a phone', async () => {
    const { token } = await organization.join('admin');
    const request = { role: 'member', hours: 2, reason: 'A shipment is stuck, and the shift is over.' };
    await organization.call('POST', '/access-requests', request, token);
    await visitor.page.setViewportSize(PHONE);
    await open(at('access-requests'));
    const reason = visitor.page.getByText(request.reason);
    const approve = visitor.page.getByRole('button', { name: /^Approve/ });
    await approve.waitFor();
    const [text, button] = [await reason.boundingBox(), await approve.boundingBox()];
    expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThan(button?.y ?? 0);
  });

  it('sort agents by name, and count them', async () => {
    for (const [host, name] of [
      ['b.example', 'Second'],
      ['c.example', 'First'],
    ] as const) {
      const clientId = `https://${host}/client.json`;
      await app.sql(
        "INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash, document_fetched_at) VALUES ($1, $2, $3, '{}', '', now())",
        [ulid(), clientId, name],
      );
      const { id, sessionId } = organization.owner.person;
      await app.sql(
        "INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, granted_scopes, idle_expires_at) VALUES ($1, $2, $3, $4, $5, $6, now() + interval '1 day')",
        [ulid(), sessionId, id, clientId, organization.id, ['01K3V9D7Q8Z4X5N6M7P8R9S0T5/read']],
      );
    }
    await open(at('agents'));
    await visitor.reads('2 agents');
    const names = () => visitor.page.locator('tbody [data-column=name] strong').allInnerTexts();
    expect(await names()).toEqual(['First', 'Second']);
    await visitor.press('Site');
    await eventually('the order by site', async () => (await names()).join() === 'Second,First');
  });

  it('fold the set-up of a directory once it has sent people', async () => {
    const directory = await ScimDirectory.create(organization);
    const setUp = visitor.page.locator('details', { hasText: 'Set up at the provider' });
    await open(at(`directories/${directory.id}`));
    await visitor.page.getByRole('heading', { name: 'Set up at the provider' }).waitFor();
    await directory.create('ada@acme.example');
    await visitor.page.reload();
    await setUp.waitFor();
    expect(await setUp.getByText('Tenant URL').isVisible()).toBe(false);
    await visitor.page.getByRole('list', { name: 'Tokens' }).getByText('First').waitFor();
    await visitor.reads('Waiting (1)');
  });

  it('tell two webhooks of one host apart', async () => {
    const { token } = organization.owner;
    for (const url of ['https://hooks.example.com/orders', 'https://hooks.example.com/'])
      await app.call('POST', '/api/v1/webhooks/subscriptions', { url, types: ['iam.role.*'] }, { token });
    await open(at('webhooks'));
    for (const name of ['hooks.example.com/orders', 'hooks.example.com'])
      await visitor.page.getByRole('link', { name, exact: true }).waitFor();
  });
});
