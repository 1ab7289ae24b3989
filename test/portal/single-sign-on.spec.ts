import type { Locator } from 'playwright-core';
import { ulid } from 'ulid';
import type { Counter } from '../lab/counters/counter.js';
import { oidcCounter } from '../lab/counters/oidc-counter.js';
import { samlCounter } from '../lab/counters/saml-counter.js';
import { LabKey } from '../lab/saml-stand-in.js';
import { counterPages, pathOf } from '../lab/site/counter-pages.js';
import { PageServer } from '../lab/site/server.js';
import { CHROMIUM } from '../support/chromium.js';
import { LabConnection } from '../support/connection.js';
import { DnsServer } from '../support/dns-server.js';
import { TestTotp } from '../support/factors.js';
import { Organization } from '../support/organization.js';
import { type Visitor, withPortal } from '../support/portal.js';
import { withStarted } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM, 'dnsmasq'], 'Single sign-on of an organization, at the portal', () => {
  let site: PageServer;
  let counters: readonly Counter[];
  let settings: Record<string, string>;
  let visitor: Visitor;
  let organization: Organization;
  const dns = withStarted(
    () => DnsServer.start([]),
    (one) => one.stop(),
  );
  const { app, portal } = withPortal(() => ({
    CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
    DNS_SERVERS: dns.address,
  }));
  beforeAll(async () => {
    site = await new PageServer().listen();
    counters = [await oidcCounter(), samlCounter()];
    site.add(counterPages(counters));
    settings = Object.assign({}, ...counters.map((one) => one.settings(site.url + pathOf(one)))) as Record<
      string,
      string
    >;
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
    organization = await Organization.found(app);
  });
  afterAll(async () => {
    await Promise.all(counters.map((counter) => counter.close()));
    await site.stop();
  });

  const ACTIONS = 'Actions for this connection';
  const given = (name: string) => settings[`EXTERNAL_${name}`] ?? '';
  const oidc = () => ({
    kind: 'oidc' as const,
    settings: {
      issuer: given('OIDC_ISSUER'),
      clientId: given('OIDC_CLIENT_ID'),
      clientSecret: given('OIDC_CLIENT_SECRET'),
    },
  });
  const saml = () => ({
    kind: 'saml' as const,
    settings: {
      entityId: given('SAML_IDP_ISSUER'),
      ssoUrl: given('SAML_ENTRY_POINT'),
      certificates: [given('SAML_IDP_CERT')],
    },
  });
  const dialog = (name: string) =>
    visitor.page.getByRole('dialog', { name }).or(visitor.page.getByRole('alertdialog', { name }));
  const open = async (path = ''): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/single-sign-on${path}`);
    await visitor.signIn(organization.owner.person);
  };
  const rowIn = (list: string, text: string) =>
    visitor.page
      .getByRole('list', { name: list, exact: true })
      .getByRole('listitem')
      .or(visitor.page.getByRole('table', { name: list, exact: true }).locator('tbody tr'))
      .filter({ hasText: text });
  const fill = (form: Locator, fields: Record<string, string>) =>
    Object.entries(fields).reduce(
      (before, [name, value]) => before.then(() => form.getByLabel(name, { exact: true }).fill(value)),
      Promise.resolve(),
    );
  const select = async (form: Locator, field: string, option: string) => {
    await form.getByRole('button', { name: field }).click();
    await visitor.page.getByRole('option', { name: option, exact: true }).click();
  };
  /** Signs in at the provider in the tab that the test opens. @param mishap nothing by default */
  const signInAtProvider = async (person: object, mishap = '') => {
    const opened = visitor.page.context().waitForEvent('page');
    await visitor.press('Sign in at the provider');
    const tab = await opened;
    await tab.getByLabel('Who are you?').fill(JSON.stringify(person));
    await tab.getByLabel('What goes wrong?').selectOption(mishap);
    await tab.getByRole('button', { name: 'Sign in' }).click();
    await tab.getByRole('button', { name: 'Go back' }).click();
    await tab.getByRole('heading', { name: 'Test sign-in finished' }).waitFor();
    await tab.close();
  };
  const shown = async (what: string) =>
    (await visitor.page.getByRole('group', { name: what, exact: true }).innerText()).trim();
  const activation = () => visitor.page.getByRole('button', { name: 'Activate connection' });
  const read = async ({ id }: Pick<LabConnection, 'id'>) =>
    (await organization.call('GET', `/connections/${id}`)).body;

  it('verifies a domain by the record that it shows', async () => {
    const name = `${ulid().toLowerCase()}.example`;
    await open();
    await visitor.reads('No domain yet');
    await visitor.press('New domain');
    await fill(dialog('New domain'), { Domain: name });
    await dialog('New domain').getByRole('button', { name: 'Add domain' }).click();
    const row = rowIn('Domains', name);
    await row.getByText('Not verified').waitFor();
    await visitor.press(`Check record of ${name}`);
    await row.getByText('There is no TXT record of this name yet').waitFor();
    const shown = (what: string) => row.getByRole('group', { name: what, exact: true }).innerText();
    const [record, value] = [await shown('Name of the TXT record'), await shown('Value of the TXT record')];
    await dns.restart([`txt-record=${record.trim()},${value.trim()}`]);
    await visitor.press(`Check record of ${name}`);
    await visitor.reads(`Domain ${name} verified.`);
    await row.getByText('Verified', { exact: true }).waitFor();
    await visitor.choose(`Actions for ${name}`, 'Remove');
    await dialog(`Remove ${name}?`).getByRole('button', { name: 'Remove' }).click();
    await visitor.reads('No domain yet');
  });

  it('connects a provider by OpenID Connect, which a test has to pass', async () => {
    const name = `${ulid().toLowerCase()}.example`;
    const { body: domain } = await organization.call('POST', '/domains', { name });
    await app.sql("UPDATE tenant_domains SET status = 'verified' WHERE id = $1", [domain['id']]);
    await open();
    await visitor.reads('No connection yet');
    await visitor.press('New connection');
    const form = dialog('New connection');
    expect(await form.innerText()).toContain('Add people at their first sign-in\nOtherwise only people');
    const secret = given('OIDC_CLIENT_SECRET');
    const unfit = 'https://login.microsoftonline.com/common/v2.0';
    await fill(form, { Name: 'Okta', Issuer: unfit, 'Client ID': given('OIDC_CLIENT_ID') });
    await fill(form, { 'Client secret': secret });
    await form.getByRole('button', { name: 'Create connection' }).click();
    await form.getByText('must be the issuer of one customer').waitFor();
    await fill(form, { Issuer: given('OIDC_ISSUER'), 'Client secret': secret });
    await form.getByRole('checkbox', { name: /^Add people/ }).check({ force: true });
    await form.getByRole('button', { name: 'Create connection' }).click();
    await visitor.sees('Okta');
    const id = visitor.page.url().slice(-26);
    const redirect = visitor.page.getByRole('group', { name: 'Redirect URI', exact: true });
    expect((await redirect.innerText()).trim()).toBe(`${app.url}/api/iam/auth/external/oidc/callback/${id}`);
    expect(await shown('Back-channel logout URI')).toBe(
      `${app.url}/api/iam/auth/external/oidc/backchannel-logout/${id}`,
    );
    expect(await shown('Post-logout redirect URI')).toBe(`${app.url}/sign-in`);
    await visitor.reads('The connection has not been tested since its settings changed.');
    expect(await activation().isDisabled()).toBe(true);
    await visitor.press('Start test');
    const person = { sub: 'ada', email: `ada@${name}`, email_verified: true };
    await signInAtProvider(person, 'the ID token is for another app');
    await rowIn('Checks', 'Audience').getByText('Failed').waitFor();
    await visitor.reads('The test has failed');
    expect(await activation().isDisabled()).toBe(true);
    await visitor.press('Start another test');
    await signInAtProvider(person);
    await visitor.reads('The test has passed');
    await rowIn('Checks', 'Domain').getByText('Passed').waitFor();
    await activation().click();
    await visitor.reads('Connection Okta activated.');
    expect(await read({ id })).toMatchObject({
      status: 'active',
      domainIds: [domain['id']],
      provisioning: { justInTime: true },
    });
  });

  it('connects a provider by SAML, and replaces its certificate', async () => {
    await open();
    await visitor.press('New connection');
    const form = dialog('New connection');
    await select(form, 'Protocol', 'SAML');
    await select(form, 'Settings of the provider', 'By hand');
    await fill(form, {
      Name: 'ADFS',
      'Entity ID of the provider': given('SAML_IDP_ISSUER'),
      'Sign-in address of the provider': given('SAML_ENTRY_POINT'),
      'Signing certificates': given('SAML_IDP_CERT'),
    });
    await form.getByRole('button', { name: 'Create connection' }).click();
    await visitor.sees('ADFS');
    const id = visitor.page.url().slice(-26);
    const acs = visitor.page.getByRole('group', { name: 'ACS URL' });
    expect((await acs.innerText()).trim()).toBe(`${app.url}/api/iam/auth/external/saml/callback/${id}`);
    expect(await shown('Single logout URL')).toBe(`${app.url}/api/iam/auth/external/saml/logout/${id}`);
    expect(await visitor.page.getByRole('group', { name: 'Post-logout redirect URI' }).count()).toBe(0);
    const { certificates } = (await read({ id })) as unknown as { certificates: { sha256: string }[] };
    const [{ sha256 = '' } = {}] = certificates;
    const first = rowIn('Certificates', sha256.slice(0, 16));
    await first.getByText('Expires soon').waitFor();
    expect(await first.getByRole('button').count()).toBe(0);
    await visitor.press('New certificate');
    await fill(dialog('New certificate'), { Certificate: new LabKey('Next').certificate });
    await dialog('New certificate').getByRole('button', { name: 'Add certificate' }).click();
    await first.getByRole('button', { name: /^Remove certificate/ }).click();
    await dialog('Remove this certificate?').getByRole('button', { name: 'Remove' }).click();
    await first.waitFor({ state: 'detached' });
    expect((await read({ id }))['certificates']).toEqual([expect.not.objectContaining({ sha256 })]);
  });

  it('shows the verdict on a SAML response', async () => {
    const connection = await LabConnection.create(organization, saml());
    await open(`/${connection.id}`);
    await visitor.press('Start test');
    await signInAtProvider({ nameId: 'ada', email: 'ada@other.example', groups: 'Packers' });
    await rowIn('Checks', 'Signature').getByText('Passed').waitFor();
    await rowIn('Checks', 'Domain').getByText('Failed').waitFor();
    await rowIn('Checks', 'Domain').getByText(connection.domain).waitFor();
    await visitor.press('Start another test');
    await signInAtProvider({ nameId: 'ada', email: `ada@${connection.domain}`, groups: 'Packers' });
    await visitor.reads('The test has passed');
    await visitor.page.getByText('What the provider sent').click();
    await visitor.reads('Packers');
  });

  it('says that the metadata of a connection has expired', async () => {
    const connection = await LabConnection.active(organization, saml());
    await app.sql(
      "UPDATE saml_connections SET metadata_valid_until = now() - interval '1 second' WHERE connection_id = $1",
      [connection.id],
    );
    await open();
    await visitor.reads('The metadata of Provider has expired');
    await rowIn('Connections', 'The metadata of the provider has expired').waitFor();
  });

  it('gives roles by rules, which can be tried', async () => {
    const connection = await LabConnection.active(organization, oidc());
    await connection.call('PATCH', '', { provisioning: { justInTime: true, onNoMatch: 'refuse' } });
    await open(`/${connection.id}`);
    await visitor.press('New rule');
    const form = dialog('New rule');
    await select(form, 'Condition', 'contains');
    await fill(form, { Value: 'Packers' });
    await form.getByRole('checkbox', { name: 'Admin' }).check({ force: true });
    await form.getByRole('button', { name: 'Add rule' }).click();
    await rowIn('Roles by attributes', 'groups contains Packers').getByText('Admin').waitFor();
    expect((await connection.call('GET', '/rules')).body['items']).toEqual([
      { attribute: 'groups', operator: 'contains', value: 'Packers', roles: ['admin'] },
    ]);
    await visitor.press('Try the rules');
    const trial = dialog('Try the rules');
    await fill(trial, { Values: 'Night\nNight Packers' });
    await trial.getByRole('button', { name: 'Check' }).click();
    await trial.getByText('A person with these values gets: Admin.').waitFor();
    await fill(trial, { Values: 'Drivers' });
    await trial.getByRole('button', { name: 'Check' }).click();
    await trial.getByText('A person with these values is refused.').waitFor();
    await trial.getByRole('button', { name: 'Close' }).click();
    await visitor.press('Remove the rule of Packers');
    await visitor.reads('Rule removed.');
    expect((await connection.call('GET', '/rules')).body['items']).toEqual([]);
  });

  it('shows no key of a role in place of its name while the roles are read', async () => {
    const connection = await LabConnection.active(organization, oidc());
    const role = { key: 'packers-7f', name: 'Packers', scopes: ['iam:member:read'] };
    await organization.call('POST', '/roles', role);
    const rule = { attribute: 'groups', operator: 'equals', value: 'night', roles: [role.key] };
    await connection.call('PUT', '/rules', { items: [rule] });
    const read = Promise.withResolvers<undefined>();
    const roles = `**/tenants/${organization.id}/roles?*`;
    await visitor.page.route(roles, async (route) => {
      await read.promise;
      await route.continue();
    });
    await open(`/${connection.id}`);
    const row = rowIn('Roles by attributes', 'groups is night');
    await row.waitFor();
    expect(await row.getByText(role.key).count()).toBe(0);
    read.resolve(undefined);
    await row.getByText(role.name).waitFor();
    await visitor.page.unroute(roles);
  });

  it('is changed, disabled and deleted', async () => {
    const connection = await LabConnection.active(organization, oidc());
    await open(`/${connection.id}`);
    await visitor.reads(given('OIDC_ISSUER')); // in the summary of what is set
    await visitor.page.getByText('Values to enter at the provider').click();
    await visitor.reads('Redirect URI');
    await visitor.choose(ACTIONS, 'Disable');
    await dialog('Disable Provider?').getByRole('button', { name: 'Disable' }).click();
    await visitor.reads('Connection Provider disabled.');
    await activation().click();
    await visitor.reads('Connection Provider activated.');
    await visitor.choose(ACTIONS, 'Provider settings');
    const form = dialog('Provider settings');
    await fill(form, { 'Client ID': 'another' });
    await form.getByRole('button', { name: 'Save' }).click();
    await visitor.reads('People cannot sign in with it yet.');
    expect(await read(connection)).toMatchObject({
      status: 'draft',
      settings: { issuer: given('OIDC_ISSUER'), clientId: 'another' },
    });
    await visitor.page.getByRole('button', { name: ACTIONS }).click();
    await visitor.page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    await fill(dialog('Edit'), { Name: 'Keycloak' });
    await dialog('Edit').getByRole('button', { name: 'Save' }).click();
    await visitor.sees('Keycloak');
    expect(await read(connection)).toMatchObject({ name: 'Keycloak', provisioning: { justInTime: false } });
    await visitor.choose(ACTIONS, 'Delete');
    await dialog('Delete Keycloak?').getByRole('button', { name: 'Delete' }).click();
    await visitor.reads('No connection yet');
    expect((await connection.call('GET')).status).toBe(404);
  });

  it('is reached by the slug that the settings give the organization', async () => {
    const connection = await LabConnection.active(organization, oidc());
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const slug = `acme-${organization.id.slice(-8).toLowerCase()}`;
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.signIn(organization.owner.person);
    await visitor.fill('URL name', 'gatehouse');
    await visitor.press('Save address');
    await visitor.reads('This name is reserved for the service. Choose another one.');
    await visitor.fill('URL name', slug);
    await visitor.press('Save address');
    await visitor.reads('Address changed.');
    const stranger = await portal.visitor();
    await stranger.goto(new URL(await shown('Address')).pathname.replace('acme', 'ACME'));
    await stranger.press('Continue with Provider');
    const person = { sub: ulid(), email: `ada@${connection.domain}`, email_verified: true };
    await stranger.page.getByLabel('Who are you?').fill(JSON.stringify(person));
    await stranger.page.getByRole('button', { name: 'Sign in' }).click();
    await stranger.page.getByRole('button', { name: 'Go back' }).click();
    await stranger.sees('Members');
    const other = await portal.visitor();
    await other.goto(`/sign-in?organization=${slug}`);
    await other.page.getByRole('button', { name: 'Continue with Provider' }).waitFor();
    await stranger.goto(`/o/${slug}-2/sign-in`);
    await stranger.sees('Organizations');
  });

  it('signs out at the provider as well, from the account menu', async () => {
    const SLO = 'https://idp.example.com/slo';
    const given = saml();
    const settings = { ...given.settings, sloUrl: SLO };
    const connection = await LabConnection.active(organization, { ...given, settings });
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    await visitor.page.route(`${SLO}?**`, (route) => route.fulfill({ body: 'Signed out.' }));
    await visitor.goto(`/o/${organization.id}/sign-in`);
    await visitor.press('Continue with Provider');
    const person = { nameId: 'ada', email: `ada@${connection.domain}` };
    await visitor.page.getByLabel('Who are you?').fill(JSON.stringify(person));
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.getByRole('button', { name: 'Go back' }).click();
    await visitor.sees('Members');
    await visitor.page.getByRole('button', { name: /^My account/ }).click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visitor.page.waitForURL(/^https:\/\/idp\.example\.com\/slo\?SAMLRequest=/);
    await visitor.goto('/organizations');
    await visitor.sees('Sign in');
  });

  it('is required only once an owner can enter in an emergency, and can be optional again', async () => {
    const connection = await LabConnection.active(organization, oidc());
    await open();
    await visitor.press('Require SSO');
    const question = dialog('Require single sign-on?');
    await question.getByText('The only member has not signed in with it yet').waitFor();
    await question.getByRole('button', { name: 'Require SSO' }).click();
    await question.getByRole('alert').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    const { person } = organization.owner;
    const totp = await TestTotp.enrol(app, person.token);
    await connection.pretendTest();
    visitor = await portal.visitor();
    await open();
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.press('Require SSO');
    await dialog('Require single sign-on?').getByRole('button', { name: 'Require SSO' }).click();
    await visitor.reads('Single sign-on is required.');
    await visitor.press('Make it optional');
    await dialog('Make single sign-on optional?').getByRole('button', { name: 'Make it optional' }).click();
    await visitor.reads('Single sign-on is optional.');
    await visitor.page.getByRole('button', { name: 'Require SSO' }).waitFor();
  });

  it('asks before a sign-in that a link has begun goes on to an app', async () => {
    const connection = await LabConnection.active(organization, oidc());
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const returnTo = `${app.url}/account`;
    const stranger = await portal.visitor();
    const link = {
      return_to: returnTo,
      code_challenge: 'x'.repeat(43),
      kind: 'oidc',
      connection: connection.id,
    };
    await stranger.goto(`/sign-in?${new URLSearchParams(link)}`);
    const email = `ada@${connection.domain}`;
    const person = { sub: ulid(), email, email_verified: true };
    await stranger.page.getByLabel('Who are you?').fill(JSON.stringify(person));
    await stranger.page.getByRole('button', { name: 'Sign in' }).click();
    await stranger.page.getByRole('button', { name: 'Go back' }).click();
    await stranger.page.getByRole('button', { name: `Continue as ${email}` }).waitFor();
    expect(await app.sql("SELECT 1 FROM one_time_codes WHERE purpose = 'hosted'")).toEqual([]);
  });

  it('is offered after a sign-in that is too old, which is then confirmed', async () => {
    await LabConnection.active(organization, oidc());
    await open();
    await visitor.sees('Single sign-on');
    await app.sql(
      "UPDATE sessions SET created_at = created_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour'",
    );
    await visitor.page.reload();
    await rowIn('Connections', 'Provider').getByText('Active', { exact: true }).waitFor();
    await visitor.page.getByRole('button', { name: 'New connection' }).waitFor();
    await visitor.page.getByText('Provider', { exact: true }).click();
    await visitor.page.getByRole('button', { name: 'Show rules' }).waitFor();
    await visitor.choose(ACTIONS, 'Disable');
    await dialog('Disable Provider?').getByRole('button', { name: 'Disable' }).click();
    const confirmation = dialog('Confirm it is you');
    await fill(confirmation, { Password: organization.owner.person.password });
    await confirmation.getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('Connection Provider disabled.');
  });
});
