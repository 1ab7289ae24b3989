import type { Locator } from 'playwright-core';
import { ulid } from 'ulid';
import type { Counter } from '../lab/counters/counter.js';
import { oidcCounter } from '../lab/counters/oidc-counter.js';
import { counterPages, pathOf } from '../lab/site/counter-pages.js';
import { PageServer } from '../lab/site/server.js';
import { CHROMIUM } from '../support/chromium.js';
import { LabConnection } from '../support/connection.js';
import { Organization } from '../support/organization.js';
import { type Visitor, withPortal } from '../support/portal.js';
import { eventually, itemsOf } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'A set-up link, at the portal', () => {
  let site: PageServer;
  let counter: Counter;
  let settings: Record<string, string>;
  let organization: Organization;
  const { app, portal } = withPortal({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    site = await new PageServer().listen();
    counter = await oidcCounter();
    site.add(counterPages([counter]));
    settings = counter.settings(site.url + pathOf(counter));
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
  });
  afterAll(async () => {
    await counter.close();
    await site.stop();
  });

  const given = (name: string) => settings[`EXTERNAL_${name}`] ?? '';
  const provider = () => ({
    kind: 'oidc' as const,
    settings: {
      issuer: given('OIDC_ISSUER'),
      clientId: given('OIDC_CLIENT_ID'),
      clientSecret: given('OIDC_CLIENT_SECRET'),
    },
  });
  const dialogOf = ({ page }: Visitor, name: string) =>
    page.getByRole('dialog', { name }).or(page.getByRole('alertdialog', { name }));
  const shownIn = (place: Locator, what: string) =>
    place.getByRole('group', { name: what, exact: true }).innerText();
  const createLink = async (intents: readonly string[]): Promise<{ id: string; path: string }> => {
    const { status, body } = await organization.call('POST', '/setup-links', { intents });
    expect([status, body]).toEqual([201, expect.anything()]);
    return { id: String(body['id']), path: new URL(String(body['url'])).pathname };
  };

  it('is created, shown once and revoked by the organization', async () => {
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${organization.id}/single-sign-on`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No link yet');
    await visitor.reads('send it to the person who manages your identity provider');
    await visitor.press('New link');
    await dialogOf(visitor, 'New link').getByRole('button', { name: 'Create link' }).click();
    const created = dialogOf(visitor, 'Link created');
    const url = (await shownIn(created, 'Set-up link')).trim();
    expect(url).toMatch(new RegExp(`^${app.url}/setup/gh_setup_\\w+$`));
    await created.getByRole('button', { name: 'Done' }).click();
    const row = visitor.page
      .getByRole('list', { name: 'Invite your identity team' })
      .getByRole('listitem')
      .filter({ hasText: 'Domains, Single sign-on' });
    await row.getByText('for a new connection').waitFor();
    await row.getByText('Active', { exact: true }).waitFor();
    const contact = await portal.visitor();
    await contact.goto(new URL(url).pathname);
    await contact.sees('Set-up for Lovelace Logistics');
    await visitor.choose('Actions for the link: Domains, Single sign-on', 'Revoke');
    await dialogOf(visitor, 'Revoke this link?').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked', { exact: true }).waitFor();
    await contact.page.reload();
    await contact.sees('This link is not valid');
  });

  it('leaves the address at once, survives a reload, and sends no referrer', async () => {
    const { path } = await createLink(['domain']);
    const contact = await portal.visitor();
    const response = await contact.page.goto(path);
    expect(response?.headers()['referrer-policy']).toBe('no-referrer');
    await contact.sees('Set-up for Lovelace Logistics');
    expect(contact.page.url()).toBe(`${app.url}/setup`);
    await contact.page.reload();
    await contact.sees('Set-up for Lovelace Logistics');
    const token = path.split('/').at(-1) ?? '';
    expect(await contact.page.content()).not.toContain(token);
    expect(
      await contact.page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).not.toContain(token);
    const other = await portal.visitor();
    await other.goto('/setup');
    await other.sees('This link is not valid');
  });

  it('shows records to copy on the whole width of a small phone, and copies each as one line', async () => {
    await organization.call('POST', '/domains', { name: 'warehouse-and-logistics-of-lovelace.example' });
    const { path } = await createLink(['domain']);
    const contact = await portal.visitor({
      viewport: { width: 320, height: 700 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await contact.goto(path);
    const value = contact.page.getByRole('group', { name: 'Value of the TXT record' });
    await value.waitFor();
    expect((await value.boundingBox())?.width).toBeGreaterThan(240);
    await contact.press('Copy: Value of the TXT record');
    await contact.reads('Copied.');
    const copied = await contact.page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^gatehouse-verification=[0-9a-f]{40,}$/);
  });

  it('lets a contact without an account add a domain, and create and test a connection', async () => {
    const { id, path } = await createLink(['domain', 'sso']);
    const contact = await portal.visitor();
    await contact.goto(path);
    const name = `${ulid().toLowerCase()}.example`;
    await contact.press('New domain');
    await dialogOf(contact, 'New domain').getByLabel('Domain', { exact: true }).fill(name);
    await dialogOf(contact, 'New domain').getByRole('button', { name: 'Add domain' }).click();
    await contact.page.getByRole('list', { name: 'Domains' }).getByText('Not verified').waitFor();
    await app.sql("UPDATE tenant_domains SET status = 'verified' WHERE domain = $1", [name]);
    await contact.press('New connection');
    const form = dialogOf(contact, 'New connection');
    const { settings: values } = provider();
    for (const [label, value] of [
      ['Name', 'Okta'],
      ['Issuer', values.issuer],
      ['Client ID', values.clientId],
      ['Client secret', values.clientSecret],
    ] as const)
      await form.getByLabel(label, { exact: true }).fill(value);
    await form.getByRole('button', { name: 'Create connection' }).click();
    await contact.page.getByRole('heading', { name: 'Okta' }).waitFor();
    await contact.reads('Redirect URI');
    await contact.page.getByRole('group', { name: 'Back-channel logout URI' }).waitFor();
    await contact.press('Start test');
    const opened = contact.page.context().waitForEvent('page');
    await contact.press('Sign in at the provider');
    const tab = await opened;
    await tab.getByLabel('Who are you?').fill(JSON.stringify({ sub: 'ada', email: `ada@${name}` }));
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('button', { name: 'Go back' }).click();
    await tab.getByRole('heading', { name: 'Test sign-in finished' }).waitFor();
    await contact.reads('The test has passed');
    await contact.reads('Tell the organization: it can activate the connection now.');
    const [connection] = itemsOf<{ status: string }>(await organization.call('GET', '/connections'));
    expect(connection).toMatchObject({ name: 'Okta', status: 'draft' });
    const trail = await organization.call('GET', `/audit-events?actorId=${id}`);
    expect(itemsOf<{ action: string }>(trail).map(({ action }) => action)).toEqual([
      'connection.test-started',
      'connection.created',
      'domain.added',
    ]);
  });

  it('creates a directory, and shows its token once', async () => {
    const { path } = await createLink(['directory']);
    const contact = await portal.visitor();
    await contact.goto(path);
    await contact.fill('Name of the directory', 'Entra ID');
    await contact.press('Create directory');
    await contact.page
      .getByRole('group', { name: 'Tenant URL', exact: true })
      .getByText('/api/scim/v2/')
      .waitFor();
    await contact.page.getByRole('button', { name: 'Provider' }).click();
    await contact.page.getByRole('option', { name: 'Okta' }).click();
    await contact.reads(/^In your application, open Provisioning, then Integration/);
    await contact.page
      .getByRole('group', { name: 'SCIM connector base URL', exact: true })
      .getByText('/api/scim/v2/')
      .waitFor();
    await contact.press('Create token');
    await contact.reads(/^gh_scim_/);
    await contact.page.reload();
    await contact.page.getByRole('button', { name: 'Create token' }).waitFor();
    expect(await contact.page.getByText(/^gh_scim_/).count()).toBe(0);
  });

  it('does nothing that it is not for, and shows no form for it', async () => {
    const { path } = await createLink(['directory']);
    const contact = await portal.visitor();
    await contact.goto(path);
    await contact.sees('Set-up for Lovelace Logistics');
    expect(await contact.page.getByRole('button', { name: /^New / }).count()).toBe(0);
  });

  it('names its connection in the list, and its page has the look of the organization', async () => {
    const { id } = await LabConnection.create(organization, provider());
    await organization.call('PUT', '/branding', { displayName: 'Lovelace', accentColor: '#7a1fa2' });
    const given = { intents: ['sso'], connectionId: id };
    const { body } = await organization.call('POST', '/setup-links', given);
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${organization.id}/single-sign-on`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads(/^for Provider · /);
    const contact = await portal.visitor();
    await contact.goto(new URL(String(body['url'])).pathname);
    await contact.sees('Set-up for Lovelace Logistics');
    await contact.page.locator('.look').getByText('Lovelace', { exact: true }).waitFor();
  });

  describe('of an active connection', () => {
    let connection: LabConnection;
    let visitor: Visitor;
    beforeEach(async () => {
      connection = await LabConnection.active(organization, provider());
      visitor = await portal.visitor();
    });
    /** Requires the connection, and waits until the options of the sign-in say so. */
    const require = async () => {
      const policy = JSON.stringify({ sso: 'required' });
      await app.sql(
        "UPDATE tenants SET sign_in_policy = coalesce(sign_in_policy, '{}') || $2::jsonb WHERE id = $1",
        [organization.id, policy],
      );
      await eventually('the answer names the rule', async () => {
        const { body } = await app.post('sign-in-options', { organization: organization.id });
        return body['required'] as unknown as boolean;
      });
    };
    const enter = async (email: string) => {
      await visitor.fill('Email address', email);
      await visitor.page.getByLabel('Password', { exact: true }).focus();
    };

    it('is offered by the sign-in page once the address is entered', async () => {
      await visitor.goto('/sign-in');
      await enter('ada@other.example');
      await enter(`ada@${connection.domain}`);
      await visitor.press('Continue with Provider');
      await visitor.page.waitForURL(/\/at\//);
    });

    it('is where the sign-in page leads at once, if the organization requires it', async () => {
      await require();
      await visitor.goto('/sign-in');
      await enter(`ada@${connection.domain}`);
      await visitor.page.waitForURL(/\/at\//);
      await visitor.page.goBack();
      await enter(`ada@${connection.domain}`);
      await visitor.reads('Your organization requires its own provider.');
      await visitor.page.getByLabel('Password', { exact: true }).waitFor();
    });

    it('is shown at the address of the organization, and led to if it is required', async () => {
      await visitor.goto(`/o/${organization.id}/sign-in`);
      await visitor.page.getByRole('button', { name: 'Continue with Provider' }).waitFor();
      await require();
      await visitor.page.reload();
      await visitor.page.waitForURL(/\/at\//);
    });

    it('is not there for an organization without one: the sign-in page follows', async () => {
      const other = await Organization.found(app);
      await visitor.goto(`/o/${other.id}/sign-in`);
      await visitor.page.waitForURL(/\/sign-in\?next=/);
      await visitor.sees('Sign in');
    });
  });
});
