import { join } from 'node:path';
import axe from 'axe-core';
import { OperatorService } from '../../src/iam/index.js';
import { PAGE_PATHS } from '../../src/portal/page-paths.js';
import { SamlStandIn } from '../lab/saml-stand-in.js';
import { CHROMIUM } from '../support/chromium.js';
import { LabConnection, samlSettings } from '../support/connection.js';
import { TestPasskey, TestTotp } from '../support/factors.js';
import { LONG } from '../support/long.js';
import { Organization, Person } from '../support/organization.js';
import { pkce, TestSatellite } from '../support/satellite.js';
import { confirmActing } from '../support/portal-operator.js';
import { withPortal, type Visitor } from '../support/portal.js';
import { ScimDirectory } from '../support/scim-directory.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // every page in both themes and on a phone, on a busy machine

/**
 * Elements of the component library that repeat for screen readers what was announced; not visible.
 */
const SPOKEN = '[data-live-announcer]';
/**
 * A disabled menu item has a description next to its name, as ARIA allows; the rule takes both for
 * the name.
 */
const UNFIT = 'label-content-name-mismatch';
/** A menu moves after the window has its new size. */
const SETTLES_MS = 2_000;
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1_280, height: 800 };
/** Themes on a desktop. A short run checks the phone alone, in light. */
const DESK_THEMES = LONG ? (['light', 'dark'] as const) : [];
const PHONE_THEME = LONG ? 'dark' : 'light';
/** Pages before a sign-in, or opened from a mail. */
const PUBLIC = [
  'signIn',
  'signedIn',
  'register',
  'verifyEmail',
  'refuseRegistration',
  'forgottenPassword',
  'resetPassword',
  'emailCode',
  'cancelAuthenticatorReset',
  'confirmEmail',
  'undoEmail',
  'acceptInvitation',
  'authorize',
  'testFinished',
  'setUp',
  'mailbox',
] as const;

/** Routes shown as another page, or in their own test. */
const LEADING_ON = ['home', 'organization', 'organizationSignIn', 'setUpLink'];

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Checks every page for screen readers, keyboards and small screens, as far as axe can. */
describeWith([CHROMIUM], 'The pages of the portal', () => {
  let owner: Person;
  let organization: Organization;
  let subscriptionId: string;
  let directory: ScimDirectory;
  let serviceAccountId: string;
  let clientId: string;
  let requestId: string;
  let connection: LabConnection;
  const { app, portal } = withPortal({
    EXTERNAL_GOOGLE_CLIENT_ID: 'x',
    EXTERNAL_GOOGLE_CLIENT_SECRET: 'x',
  });
  beforeAll(async () => {
    organization = await Organization.found(app);
    owner = organization.owner.person;
    const { token: asking } = await organization.join('admin');
    const request = { role: 'member', hours: 2, reason: 'Ticket 4711' };
    const asked = await organization.call('POST', '/access-requests', request, asking);
    requestId = String(asked.body['id']);
    await organization.call('POST', '/invitations', { email: 'grace@example.com', roles: ['member'] });
    await organization.call('POST', '/roles', { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] });
    const subscription = { url: 'https://hooks.example.com/', types: ['iam.role.*', 'iam.member.joined'] };
    const { token } = organization.owner;
    const { body } = await app.call('POST', '/api/v1/webhooks/subscriptions', subscription, { token });
    subscriptionId = String(body['id']);
    await app.call('POST', `/api/v1/webhooks/subscriptions/${subscriptionId}/test`, {}, { token });
    const machine = { name: 'Export', roles: ['member'] };
    serviceAccountId = String((await organization.call('POST', '/service-accounts', machine)).body['id']);
    await organization.call('POST', `/service-accounts/${serviceAccountId}/credentials`, { kind: 'secret' });
    await organization.call('POST', `/service-accounts/${serviceAccountId}/trust-rules`, {
      issuer: 'https://token.actions.githubusercontent.com',
      audience: 'https://id.example.com',
      conditions: { repository: 'octo-org/octo-repo' },
    });
    const dashboards = { name: 'Dashboards', redirectUris: ['https://grafana.example.com/callback'] };
    clientId = String((await organization.call('POST', '/clients', dashboards)).body['clientId']);
    directory = await ScimDirectory.create(organization);
    await directory.create('ada@acme.example');
    await directory.create('ada@acme.example').catch(() => undefined); // refused, for the list of calls
    const rules = [{ group: 'Packers', roles: ['member'] }];
    await organization.call('PUT', `/directories/${directory.id}/rules`, { rules });
    connection = await LabConnection.create(organization, samlSettings(new SamlStandIn()), 'sso.example');
    const items = [{ attribute: 'groups', operator: 'equals', value: 'Packers', roles: ['member'] }];
    await connection.call('PUT', '/rules', { items });
    await organization.call('POST', '/domains', { name: 'unverified.example' });
    const scopes = [{ name: 'orders:read', title: 'Read orders' }];
    await organization.call('POST', '/apis', {
      identifier: 'https://orders.example',
      name: 'Orders',
      scopes,
    });
  });

  const signedIn = async (): Promise<Visitor> => {
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    await visitor.goto('/');
    await visitor.signIn(owner);
    await visitor.sees('Organizations');
    return visitor;
  };
  const settled = async ({ page }: Visitor) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-label^="Loading"]').first().waitFor({ state: 'detached' });
  };
  /** Returns the violations of serious impact. */
  const findings = async ({ page }: Visitor): Promise<string[]> => {
    if (await page.evaluate<boolean>('!("axe" in window)')) await page.evaluate(axe.source);
    const { violations } = await page.evaluate<{ violations: Finding[] }>(
      `axe.run({ exclude: ['${SPOKEN}'] }, { resultTypes: ['violations'], rules: { '${UNFIT}': { enabled: false } } })`,
    );
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical' || impact === 'moderate')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  };
  /**
   * Checks the page on a desktop, and in one theme on a phone: colours do not depend on the width.
   */
  const check = async (name: string, visitor: Visitor) => {
    const { page } = visitor;
    const found: Record<string, string[]> = {};
    for (const colorScheme of DESK_THEMES) {
      await page.emulateMedia({ colorScheme });
      found[colorScheme] = await findings(visitor);
      await show(name, colorScheme, visitor);
    }
    await page.emulateMedia({ colorScheme: PHONE_THEME });
    await page.setViewportSize(PHONE);
    const fits = () => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
    const tooWide = await eventually(`${name} fits`, fits, SETTLES_MS).then(
      () => false,
      () => true,
    );
    found['phone'] = await findings(visitor);
    await show(name, 'phone', visitor);
    await page.setViewportSize(DESK);
    const none = Object.fromEntries(Object.keys(found).map((how) => [how, []]));
    expect({ name, ...found, tooWide }).toEqual({ name, ...none, tooWide: false });
  };
  /** Saves a screenshot for review into the folder SCREENSHOTS, where it is set. */
  const show = async (name: string, how: string, { page }: Visitor) => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: join(folder, `${name}-${how}.png`) });
  };

  it('are accessible before a sign-in', async () => {
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    for (const name of PUBLIC) {
      await visitor.goto(`${PAGE_PATHS[name]}?token=cut-short`);
      await settled(visitor);
      await check(name, visitor);
    }
    await visitor.goto('/nowhere');
    await settled(visitor);
    await check('nowhere', visitor);
  });

  it('are accessible while a weak password is asked about', async () => {
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    await visitor.goto('/register');
    await visitor.fill('First name', 'Ada');
    await visitor.fill('Email address', 'weak@example.com');
    await visitor.fill('Password', 'Football1');
    await visitor.reads('Strength: weak.');
    await visitor.press('Create account');
    await visitor.reads('Use this password anyway?');
    await check('weak-password', visitor);
  });

  it('are accessible while a password is to be removed', async () => {
    const person = await Person.signUp(app);
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    await visitor.goto(PAGE_PATHS.security);
    await visitor.signIn(person);
    await visitor.sees('Security');
    await TestPasskey.enrol(app, person.token, {}, app.url);
    await visitor.page.reload();
    await visitor.press('Remove password');
    await visitor.page.getByRole('alertdialog').waitFor();
    await check('remove-password', visitor);
  });

  it('are accessible to operators', async () => {
    const operator = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(operator.email, 'admin');
    const totp = await TestTotp.enrol(app, operator.token);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    await visitor.goto(PAGE_PATHS.operatorPeople);
    await visitor.signIn(operator);
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.sees('People');
    for (const [name, path] of Object.entries(PAGE_PATHS)) {
      if (!name.startsWith('operator') || name === 'operator') continue;
      await visitor.goto(path.replace(':userId', owner.id).replace(':operatedId', organization.id));
      await settled(visitor);
      await check(name, visitor);
    }
    await visitor.goto(PAGE_PATHS.operatorPerson.replace(':userId', owner.id));
    await visitor.choose('Actions for this person', 'Act as this person');
    await visitor.fill('Reason', 'Ticket 4711: the list of orders is empty since this morning.');
    await check('operator-act', visitor);
    await confirmActing(visitor);
    await visitor.reads(/^Reason: Ticket 4711/);
    await check('operator-acting', visitor);
    await visitor.press('End');
    await visitor.sees('People');
  });

  it('are accessible after a sign-in', async () => {
    const visitor = await signedIn();
    for (const [name, path] of Object.entries(PAGE_PATHS)) {
      if (LEADING_ON.includes(name) || PUBLIC.some((one) => one === name)) continue;
      if (name.startsWith('operator')) continue;
      await visitor.goto(
        path
          .replace(':tenantId', organization.id)
          .replace(':subscriptionId', subscriptionId)
          .replace(':directoryId', directory.id)
          .replace(':accountId', serviceAccountId)
          .replace(':clientId', clientId)
          .replace(':requestId', requestId)
          .replace(':connectionId', connection.id),
      );
      await settled(visitor);
      await check(name, visitor);
    }
    await visitor.goto('/account/nowhere');
    await visitor.sees('Page not found');
    await check('nowhere in the account', visitor);
  });

  it('are accessible by a set-up link, and for the sign-in of one organization', async () => {
    const intents = ['domain', 'sso', 'directory', 'certificate'];
    const asked = { intents, connectionId: connection.id };
    const { body } = await organization.call('POST', '/setup-links', asked);
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    await visitor.goto(new URL(String(body['url'])).pathname);
    await visitor.sees('Set-up for Lovelace Logistics');
    await visitor.reads('Create directory');
    await visitor.reads('unverified.example');
    await check('setUpLink', visitor);
    await connection.pretendTest();
    expect((await connection.call('POST', '/activate')).status).toBe(200);
    await visitor.goto(PAGE_PATHS.organizationSignIn.replace(':organization', organization.id));
    await visitor.reads('Continue with Provider');
    await check('organizationSignIn', visitor);
    await visitor.press('Sign in another way');
    await visitor.fill('Email address', `ada@${connection.domain}`);
    await visitor.page.getByLabel('Password', { exact: true }).focus();
    await visitor.reads('Continue with Provider');
    await check('connection-offered', visitor);
  });

  it('are accessible for an app and for a satellite', async () => {
    const satellite = await TestSatellite.register(app);
    const { clientId, redirectUri } = satellite;
    const { codeChallenge } = pkce();
    const hosted = new URLSearchParams({ return_to: app.url, code_challenge: codeChallenge });
    const request = new URLSearchParams({ clientId, redirectUri, codeChallenge });
    const visitor = await portal.visitor({ viewport: DESK, reducedMotion: 'reduce' });
    for (const [name, path, title] of [
      ['hosted', `/sign-in?${hosted}`, /^Continue to/],
      ['authorize', `/authorize?${request}`, 'Sign in to Help centre?'],
    ] as const) {
      await visitor.page.context().clearCookies();
      await visitor.goto(path);
      await visitor.reads(/^To continue to/);
      await check(`${name}-form`, visitor);
      await visitor.page.context().clearCookies();
      await visitor.goto('/');
      await visitor.signIn(owner);
      await visitor.sees('Organizations');
      await visitor.goto(path);
      await visitor.sees(title);
      await settled(visitor);
      await check(name, visitor);
    }
    await visitor.press(/Organization$/);
    await visitor.page.getByRole('listbox').waitFor();
    await check('authorize-choice', visitor);
  });

  it('are accessible with an open menu, a dialog, an error and a message', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    await visitor.goto(`/organizations/${organization.id}/invitations`);
    await visitor.press('Invite members');
    await page.getByRole('dialog').waitFor();
    await visitor.press('Send invitations');
    await page.locator('[aria-invalid=true]').waitFor();
    await check('invite', visitor);
    await page.keyboard.press('Escape');
    await visitor.press('Roles');
    await visitor.press('Actions for the role Owner');
    await visitor.reads('A built-in role cannot be changed or deleted.');
    await check('menu', visitor);
    await page.keyboard.press('Escape');
    await visitor.press('New role');
    await page.getByRole('dialog').waitFor();
    await check('new-role', visitor);
    await page.keyboard.press('Escape');
    await visitor.press('Permission tester');
    await page.locator('summary').first().click();
    await page.getByRole('checkbox').first().waitFor();
    await visitor.fill('Other permissions', 'shipments:shipment:cancel');
    await visitor.press('Check');
    await visitor.reads('There is no such permission.');
    await check('verdicts', visitor);
    await visitor.press('Webhooks');
    await visitor.fill('Search event types', 'iam.role');
    await visitor.reads('iam.role.created');
    await check('event-types', visitor);
    await visitor.press('New subscription');
    await page.getByRole('dialog').waitFor();
    await visitor.press('Create subscription');
    await page.locator('[aria-invalid=true]').first().waitFor();
    await page.getByRole('dialog').locator('summary').first().click();
    await check('new-webhook', visitor);
    await page.keyboard.press('Escape');
    await visitor.page.getByText('hooks.example.com', { exact: true }).click();
    await visitor.sees('hooks.example.com');
    await page
      .getByRole('table', { name: 'Deliveries' })
      .locator('tbody')
      .getByRole('button')
      .first()
      .click();
    await page
      .getByRole('list', { name: 'Attempts' })
      .or(visitor.page.getByText('No attempt'))
      .first()
      .waitFor();
    await check('webhook-delivery', visitor);
    await page.keyboard.press('Escape');
    await visitor.press('Settings');
    await visitor.press('Archive organization');
    await page.getByRole('alertdialog').waitFor();
    await check('archive', visitor);
  });

  it('follow the chosen theme over that of the system', async () => {
    const visitor = await portal.visitor({ colorScheme: 'light' });
    const paper = () => visitor.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await visitor.goto('/');
    const light = await paper();
    await visitor.press('Theme: System');
    await visitor.page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await visitor.page.reload({ waitUntil: 'commit' });
    await visitor.page.getByRole('button', { name: 'Theme: Dark' }).waitFor();
    expect(await paper()).toBe(dark);
  });

  it('comply with their policy on an iPhone, where a dialog locks the scrolling of the page', async () => {
    const visitor = await portal.visitor({ viewport: PHONE, hasTouch: true, isMobile: true });
    await visitor.page.addInitScript(() => Object.defineProperty(navigator, 'platform', { value: 'iPhone' }));
    await visitor.page.addInitScript(() =>
      Object.defineProperty(navigator, 'userAgentData', { value: undefined }),
    );
    await visitor.goto(`/organizations/${organization.id}/invitations?new`);
    await visitor.signIn(owner);
    await visitor.page.getByRole('dialog').waitFor();
    const styles = await visitor.page.evaluate<string[]>(
      '[...document.styleSheets].map(({ cssRules }) => cssRules[0].cssText)',
    );
    expect(styles.join('\n')).toMatch(/touch-action[^]*/);
    expect(styles.join('\n')).toContain('overscroll-behavior: contain');
  });
});
