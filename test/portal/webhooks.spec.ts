import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { signInAsOperator } from '../support/portal-operator.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

describeWith([CHROMIUM], 'The webhooks of an organization, at the portal', () => {
  let organization: Organization;
  let receiver: WebhookReceiver;
  const { app, portal } = withPortal({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    organization = await Organization.found(app);
  });
  afterEach(() => receiver.stop());

  const WEBHOOKS = '/api/v1/webhooks';
  const ACTIONS = 'Actions for this subscription';
  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, `${WEBHOOKS}${path}`, body, { token: organization.owner.token });
  const dialog = (name: string | RegExp) =>
    visitor.page.getByRole('dialog', { name }).or(visitor.page.getByRole('alertdialog', { name }));
  const open = async (path = ''): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/webhooks${path}`);
    await visitor.signIn(organization.owner.person);
  };
  const subscribe = async (types = ['iam.role.*']): Promise<string> =>
    String(
      (await call('POST', '/subscriptions', { url: receiver.url, types, description: 'CRM' })).body['id'],
    );
  const createRole = (key: string) =>
    organization.call('POST', '/roles', { key, name: 'Clerk', scopes: ['iam:member:read'] });
  const row = (text: string | RegExp) =>
    visitor.page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr').filter({ hasText: text });

  it('are created with a secret that is shown once, and deliver', async () => {
    await open();
    await visitor.sees('Webhooks');
    await visitor.reads('No subscription yet');
    await visitor.press('New subscription');
    const form = dialog('New subscription');
    await form.getByRole('button', { name: 'Create subscription' }).click();
    await visitor.reads('Choose at least one event type.');
    await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await form.getByLabel('Name (optional)').fill('CRM');
    await form.getByLabel('Search event types').fill('iam.role');
    await form.getByRole('checkbox', { name: /^All of these iam\.role/ }).check({ force: true });
    expect(await form.getByRole('checkbox', { name: /^iam\.role\.created/ }).isDisabled()).toBe(true);
    await form.getByText(/^(\d+) of \1 selected$/).waitFor();
    await form.getByText('Choose at least one event type.').waitFor({ state: 'detached' });
    await form.getByRole('button', { name: 'Create subscription' }).click();
    const secret = dialog('Subscription created');
    await secret.getByText(/^whsec_/).waitFor();
    await secret.getByText('How to verify a request').click();
    await secret.getByRole('button', { name: 'I have stored it' }).click();
    await visitor.sees('CRM');
    const page = await visitor.page.content();
    expect(page).not.toContain('whsec_');
    await visitor.reads('No deliveries yet');
    await createRole('clerk');
    const [received] = await receiver.waitFor('iam.role.created');
    await visitor.page.reload();
    await row('iam.role.created').getByText('Delivered').waitFor();
    await row('iam.role.created').getByRole('button').click();
    await visitor.reads(received?.body.id ?? '');
    await visitor.reads(/Answered 204/);
    await dialog('iam.role.created').getByText('Body of the requests').click();
    await visitor.reads(/"type": "iam.role.created"/);
    await visitor.press('Deliver again');
    await receiver.waitFor('iam.role.created', 2);
  });

  it('refuse an address inside the network at its field', async () => {
    await open();
    await visitor.press('New subscription');
    const form = dialog('New subscription');
    await form.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/');
    await form.getByText('All events, also of future types').click();
    await form.getByRole('button', { name: 'Create subscription' }).click();
    await form.locator('input[name=url][aria-invalid=true]').waitFor();
  });

  it('send a test of a type, and say why it failed', async () => {
    receiver.answerWith(500);
    await open(`/${await subscribe()}`);
    await visitor.sees('CRM');
    await visitor.choose(ACTIONS, 'Send test');
    await dialog('Send test').getByRole('button', { name: 'Send', exact: true }).click();
    await row('Failed').waitFor();
    await row('Failed').getByText('Answered 500').last().waitFor();
    await row('Failed').getByText('Test', { exact: true }).waitFor();
  });

  it('rotate the secret, after a look at what that means', async () => {
    await open(`/${await subscribe()}`);
    await visitor.choose(ACTIONS, 'Rotate secret');
    await dialog('Rotate the secret?').getByRole('button', { name: 'Rotate secret' }).click();
    await dialog('New secret')
      .getByText(/^whsec_/)
      .waitFor();
    await visitor.reads(/^The previous secret signs as well until/);
  });

  it('deliver missed events, and show them', async () => {
    const id = await subscribe();
    await call('PATCH', `/subscriptions/${id}`, { enabled: false });
    await createRole('packer');
    await open(`/${id}`);
    await visitor.reads('This subscription was disabled by hand.');
    await visitor.choose(ACTIONS, 'Enable');
    await visitor.reads('Subscription enabled.');
    await visitor.press('Deliver missed events');
    await dialog('Deliver missed events').getByRole('button', { name: 'Deliver', exact: true }).click();
    await receiver.waitFor('iam.role.created');
    await row('iam.role.created').getByText('Delivered').waitFor();
    await visitor.page.getByText('Delivering missed events').waitFor({ state: 'detached' });
  });

  it('show a replay that goes on, and stop it', async () => {
    const id = await subscribe();
    await app.sql(
      "UPDATE webhook_endpoints SET recover_after = 0, recover_from = now() - interval '1 day', recover_at = now() + interval '1 hour' WHERE id = $1",
      [id],
    );
    await open(`/${id}`);
    await visitor.reads('Delivering missed events');
    await visitor.press('Stop');
    await visitor.page.getByText('Delivering missed events').waitFor({ state: 'detached' });
    expect((await call('GET', `/subscriptions/${id}`)).body['recoveringSince']).toBeNull();
  });

  it.each([
    ['gone', 'The receiver answered 410 Gone'],
    ['refused-by-receiver', 'The receiver asked to stop'],
    ['failing', 'The receiver failed for five days.'],
    ['scope-lost', 'The person who set it up may no longer read these events.'],
  ])('say what to do when disabled as %s', async (reason, text) => {
    const id = await subscribe();
    await app.sql("UPDATE webhook_endpoints SET status = 'disabled', reason = $2 WHERE id = $1", [
      id,
      reason,
    ]);
    await open(`/${id}`);
    await visitor.reads(new RegExp(`^${text}`));
  });

  it('are changed and deleted', async () => {
    await open(`/${await subscribe()}`);
    await visitor.choose(ACTIONS, 'Edit');
    const form = dialog('Edit CRM');
    await form.getByLabel('Name (optional)').fill('Warehouse');
    await form.getByRole('button', { name: 'Save' }).click();
    await visitor.sees('Warehouse');
    await visitor.choose(ACTIONS, 'Delete');
    await dialog('Delete Warehouse?').getByRole('button', { name: 'Delete' }).click();
    await visitor.reads('No subscription yet');
  });

  it('list the types that the member may read by group, with examples', async () => {
    await open();
    const joined = visitor.page.getByText('iam.member.joined', { exact: true });
    const group = visitor.page.locator('summary').filter({ hasText: /^iam\.member\d+$/ });
    await group.focus();
    expect(await joined.isVisible()).toBe(false);
    await visitor.page.keyboard.press('Enter');
    await joined.click();
    await visitor.reads(/"type": "iam\.member\.joined"/);
  });

  it('find types by words of their id and description', async () => {
    await open();
    const found = visitor.page.locator('#event-types ~ * summary > .what').filter({ visible: true });
    await visitor.fill('Search event types', 'directory WITHIN week');
    await visitor.reads('iam.directory.token-expiring');
    expect(await found.count()).toBe(1);
    await visitor.fill('Search event types', 'nothing of this kind');
    await visitor.reads('No event type matches.');
    await visitor.fill('Search event types', '');
    await visitor.reads('iam.directory');
    expect(await found.count()).toBe(0);
  });

  it('keep what is selected in a folded group', async () => {
    await open();
    await visitor.press('New subscription');
    const form = dialog('New subscription');
    const role = form.locator('summary').filter({ hasText: 'iam.role' });
    const created = form.getByRole('checkbox', { name: /^iam\.role\.created/ });
    await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await role.click();
    await created.press('Space');
    await role.getByText(/^1 of \d+ selected$/).waitFor();
    await role.click();
    expect(await created.count()).toBe(0);
    await form.getByRole('button', { name: 'Create subscription' }).click();
    await dialog('Subscription created').waitFor();
    const { body } = await call('GET', '/subscriptions');
    expect(body).toMatchObject({ items: [{ types: ['iam.role.created'] }] });
  });

  it('are not shown to a member who may not read them', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(person);
    await visitor.sees('Members');
    expect(await visitor.page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  });

  it('of the platform are created, tested, disabled and deleted by an operator', async () => {
    await visitor.goto('/operator/webhooks');
    await signInAsOperator(app, visitor);
    await visitor.sees('Webhooks');
    await visitor.press('New subscription');
    const form = dialog('New subscription');
    await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await form.getByLabel('Name (optional)').fill('Ticket system');
    await form.getByLabel('Search event types').fill('iam.account');
    await form.getByRole('checkbox', { name: /^All of these iam\.account\b/ }).check({ force: true });
    await form.getByRole('button', { name: 'Create subscription' }).click();
    await dialog('Subscription created').getByRole('button', { name: 'I have stored it' }).click();
    await visitor.sees('Ticket system');
    expect(new URL(visitor.page.url()).pathname).toMatch(/^\/operator\/webhooks\/\w{26}$/);
    await visitor.choose(ACTIONS, 'Send test');
    await dialog('Send test').getByRole('button', { name: 'Send', exact: true }).click();
    await visitor.reads('Delivered');
    await row(/iam\.account/)
      .getByRole('button')
      .click();
    await dialog(/^iam\.account/)
      .getByText(/Answered 204/)
      .waitFor();
    await visitor.press('Close');
    await visitor.choose(ACTIONS, 'Disable');
    await visitor.reads('Subscription disabled.');
    await visitor.reads('This subscription was disabled by hand.'); // an operator is no member
    await visitor.press('All webhooks');
    await visitor.press('Ticket system');
    await visitor.choose(ACTIONS, 'Delete');
    await dialog('Delete Ticket system?').getByRole('button', { name: 'Delete' }).click();
    await visitor.reads('No subscription yet');
  });

  it('of the platform are read by support, who changes nothing', async () => {
    await visitor.goto('/operator/webhooks');
    await signInAsOperator(app, visitor, 'support');
    await visitor.reads('No subscription yet');
    expect(await visitor.page.getByRole('button', { name: 'New subscription' }).count()).toBe(0);
  });
});
