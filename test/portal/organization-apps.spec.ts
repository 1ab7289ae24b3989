import axe from 'axe-core';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, type Visitor, withVisitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const REDIRECT = 'https://grafana.example.com/login/generic_oauth';

/** Names of the rules that the dialog breaks. */
async function faultsOf({ page }: Visitor): Promise<string[]> {
  await page.evaluate(axe.source);
  const run = `axe.run('[role=dialog]', { resultTypes: ['violations'] })`;
  const { violations } = await page.evaluate<{ violations: { id: string }[] }>(run);
  return violations.map(({ id }) => id);
}

describeWith([CHROMIUM], 'Apps of an organization at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const shown = async (label: string): Promise<string> =>
    ((await visitor.page.getByRole('group', { name: label, exact: true }).textContent()) ?? '').trim();

  it('are created with a secret that is shown once, changed and deleted', async () => {
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No app yet');
    await visitor.press('New app');
    await visitor.fill('Name', 'Grafana');
    await visitor.fill('Redirect URIs', 'no address');
    await visitor.press('Create app');
    await visitor.page.locator('[aria-invalid=true]').first().waitFor();
    await visitor.fill('Redirect URIs', `${REDIRECT}\n`);
    await visitor.press('Create app');
    await visitor.reads('The secret is not shown again.');
    const dialog = visitor.page.getByRole('dialog');
    expect(await dialog.getByRole('group', { name: 'Issuer' }).textContent()).toBe(app.url);
    const [clientId, clientSecret] = [await shown('Client id'), await shown('Client secret')];
    const client = await RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT });
    await client.signIn(organization.owner.person.token);
    await visitor.press('I have stored it');
    await visitor.reads('Within 10 minutes');
    expect(await visitor.page.content()).not.toContain(clientSecret);
    await visitor.choose('Actions for Grafana', 'Edit');
    await visitor.page.getByText('Logout and logo').click();
    await visitor.fill('Back-channel logout URL', 'https://grafana.example.com/logout');
    await visitor.press('Save');
    await visitor.reads('Within a second');
    await visitor.choose('Actions for Grafana', 'Rotate secret');
    await visitor.press('Rotate secret');
    await visitor.reads('The secret is not shown again.');
    const next = { clientId, clientSecret: await shown('Client secret'), redirectUri: REDIRECT };
    expect(next.clientSecret).not.toBe(clientSecret);
    await (await RelyingParty.of(app, next)).signIn(organization.owner.person.token);
    await visitor.press('I have stored it');
    await visitor.choose('Actions for Grafana', 'Delete');
    await visitor.press('Delete');
    await visitor.reads('No app yet');
    const refused = await client.post('/oauth2/introspect', { token: 'x' });
    expect(refused.status).toBe(401);
  });

  it('that speak SAML are registered by their metadata, and show what to enter in them', async () => {
    const consumer = 'https://erp.example.com/acs';
    const metadata = `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://erp.example.com/saml"><md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${consumer}" index="0"/></md:SPSSODescriptor></md:EntityDescriptor>`;
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.signIn(organization.owner.person);
    await visitor.press('New SAML app');
    await visitor.fill('Name', 'Warehouse');
    await visitor.fill('Metadata of the app (XML)', '<no-metadata/>');
    await visitor.press('Create app');
    await visitor.page.locator('[aria-invalid=true]').first().waitFor();
    await visitor.page
      .getByLabel('File with the metadata')
      .setInputFiles({ name: 'sp.xml', mimeType: 'text/xml', buffer: Buffer.from(metadata) });
    await visitor.press('Create app');
    await visitor.reads('Give the app this metadata address.');
    expect(await faultsOf(visitor)).toEqual([]);
    const entityId = await shown('Metadata address and entity id');
    const ours = await (await fetch(entityId)).text();
    expect(ours).toContain(`Location="${await shown('Sign-in address')}"`);
    expect(ours).toContain(`Location="${await shown('Logout address')}"`);
    await visitor.press('I have stored it');
    await visitor.reads('By its own session');
    await visitor.page.getByRole('link', { name: 'Warehouse' }).click();
    await visitor.reads('From the metadata of the app');
    expect(await shown('Address for responses')).toBe(consumer);
    await visitor.page.getByRole('button', { name: 'Edit', exact: true }).click();
    await visitor.fill('Metadata of the app (XML)', metadata.replace('/acs', '/acs2'));
    await visitor.press('Save');
    await visitor.reads(`${consumer}2`);
    await visitor.choose('Actions for Warehouse', 'Delete');
    await visitor.press('Delete');
    await visitor.reads('No app yet');
  });

  it('are filled in for a product, by its recipe', async () => {
    const site = 'https://wiki.example.com';
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.signIn(organization.owner.person);
    await visitor.press('New app');
    const dialog = visitor.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Kind of app' }).click();
    await visitor.page.getByRole('option', { name: 'Nextcloud', exact: true }).click();
    await visitor.reads(/docs\/apps\/nextcloud\.md/);
    await visitor.fill('Address of the app', `${site}/`);
    const valueOf = (label: string) =>
      dialog.getByLabel(new RegExp(`^${label}\\s*(\\(optional\\))?$`)).inputValue();
    expect(await valueOf('Name')).toBe('Nextcloud');
    expect(await valueOf('Redirect URIs')).toContain(`${site}/apps/user_oidc/code\n`);
    await visitor.page.getByText('Logout and logo').click();
    expect(await valueOf('Post-logout URIs')).toBe(`${site}/`);
    expect(await valueOf('Back-channel logout URL')).toContain(
      `${site}/index.php/apps/user_oidc/backchannel`,
    );
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.press('Create app');
    await visitor.reads('The secret is not shown again.');
    const [clientId, clientSecret] = [await shown('Client id'), await shown('Client secret')];
    const { body } = await organization.call('GET', `/clients/${clientId}`);
    expect(body).toMatchObject({ name: 'Nextcloud', tokenEndpointAuthMethod: 'client_secret_post' });
    expect(clientSecret).toMatch(/^ghs_/);
    await visitor.press('I have stored it');
    await organization.call('DELETE', `/clients/${clientId}`);
  });

  it('have a page with what is registered, set-up code and APIs', async () => {
    const scopes = [{ name: 'orders:read', title: 'Read orders' }];
    const api = { identifier: 'https://orders.example.com/api', name: 'Orders', scopes };
    await organization.call('POST', '/apis', api);
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.signIn(organization.owner.person);
    await visitor.press('New app');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Kind of app' }).click();
    await visitor.page.getByRole('option', { name: 'Command line or device', exact: true }).click();
    await visitor.fill('Name', 'Scanner');
    expect(await visitor.page.getByLabel('Redirect URIs').count()).toBe(0);
    await visitor.press('Create app');
    await visitor.reads('It has no secret.');
    expect(await shown('Set-up code')).toContain('/oauth2/device_authorization');
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.press('I have stored it');
    await visitor.press('Scanner');
    await visitor.reads('Another method is refused: “The client is registered for none”.');
    const clientId = await shown('Client id');
    await visitor.press('Choose scopes');
    await visitor.page.getByRole('dialog').getByText('Read orders').click();
    await visitor.press('Save');
    await visitor.reads('App Scanner changed.');
    await visitor.press('Edit');
    await visitor.page.getByText('Authentication and grant types').click();
    await visitor.page.getByText('Require pushed authorization requests (PAR)').click();
    await visitor.press('Save');
    await eventually('the app must push its requests', async () => {
      const { body } = await organization.call('GET', `/clients/${clientId}`);
      return body['requirePar'] === true;
    });
    const { body } = await organization.call('GET', `/clients/${clientId}`);
    expect(body).toMatchObject({
      type: 'public',
      tokenEndpointAuthMethod: 'none',
      redirectUris: [],
      grantTypes: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      requirePkce: true,
      idTokenClaims: 'scopes',
    });
    const reach = await organization.call('GET', `/clients/${clientId}/apis`);
    expect(reach.body).toMatchObject({ items: [{ name: 'Orders', scopes: ['orders:read'] }] });
    await organization.call('DELETE', `/clients/${clientId}`);
  });

  it('are allowed for all members, who see it, until they are asked again', async () => {
    const { body } = await organization.call('POST', '/clients', { name: 'Wiki', redirectUris: [REDIRECT] });
    const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
    const client = await RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT });
    const asks = async () => {
      const { id } = await client.request();
      return (await client.read(id, organization.owner.token)).body['needsConsent'];
    };
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.signIn(organization.owner.person);
    await visitor.choose('Actions for Wiki', 'Allow for all members');
    await visitor.reads('Your email address');
    expect(await faultsOf(visitor)).toEqual([]);
    await visitor.press('Allow for all members');
    await visitor.reads('Allowed for all members');
    expect(await asks()).toBe(false);
    await client.signIn(organization.owner.token);
    await visitor.goto('/account/apps');
    await visitor.reads(/allowed by your organization/);
    await visitor.press('Withdraw Wiki');
    await visitor.reads(/it does not ask you at the next sign-in/);
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.choose('Actions for Wiki', 'Ask each member');
    await visitor.press('Ask each member');
    await visitor.reads('Wiki asks each member.');
    expect(await asks()).toBe(true);
  });

  it('are reached on a phone by a menu with groups, which another page closes', async () => {
    const phone = await portal.visitor({ viewport: { width: 320, height: 700 } });
    await phone.goto(`/organizations/${organization.id}/members`);
    await phone.signIn(organization.owner.person);
    const nav = phone.page.getByRole('navigation', { name: 'Organization pages' });
    const apps = nav.getByRole('link', { name: 'Apps', exact: true });
    const menu = nav.getByRole('button', { name: 'Members' });
    await menu.waitFor();
    expect(await apps.isVisible()).toBe(false);
    await menu.click();
    await nav.getByText('Developers').waitFor();
    expect(await nav.locator('[aria-current=page]').allTextContents()).toEqual(['Members']);
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await apps.click();
    await phone.sees('Apps');
    await nav.getByRole('button', { name: 'Apps' }).waitFor();
    expect(await apps.isVisible()).toBe(false);
  });

  it('are for members who may manage them', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(person);
    await visitor.sees('Members');
    await eventually('the pages are listed', async () => {
      return (await visitor.page.getByRole('link', { name: 'Roles' }).count()) > 0;
    });
    expect(await visitor.page.getByRole('link', { name: 'Apps', exact: true }).count()).toBe(0);
  });
});
