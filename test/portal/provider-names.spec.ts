/** @service separate */
import { CarrierPortalModule } from '../../examples/carrier-portal/carrier-portal.module.js';
import { PageServer } from '../lab/site/server.js';
import { StandIns } from '../lab/stand-ins.js';
import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const CARRIERS = { url: 'https://carriers.example', clientId: 'gatehouse', clientSecret: 'secret' };

describeWith([CHROMIUM], 'A named identity provider, at the portal', () => {
  let site: PageServer;
  let providers: StandIns;
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    site = await new PageServer().listen();
    providers = await StandIns.open(site);
    const names = { EXTERNAL_OIDC_NAME: 'Contoso & “Sons”', EXTERNAL_SAML_NAME: 'Fabrikam' };
    app = await startPortal({ ...providers.settings, ...names }, [CarrierPortalModule.for(CARRIERS)]);
    portal = await PortalBrowser.open(app.url);
    visitor = await portal.visitor();
  });
  afterAll(async () => {
    await portal.leave();
    await portal.close();
    await app.stop();
    await providers.stop();
    await site.stop();
  });

  it('is on a button with its name and a logo', async () => {
    await visitor.goto('/sign-in');
    await visitor.sees('Sign in');
    const buttons = visitor.page.getByRole('button', { name: /^Continue with/ });
    expect(await buttons.allTextContents()).toEqual([
      'Continue with Google',
      'Continue with Facebook',
      'Continue with Apple',
      'Continue with Contoso & “Sons”',
      'Continue with Fabrikam',
      'Continue with the carrier portal',
    ]);
    expect(await buttons.locator('svg').count()).toBe(6);
  });

  it('is named in the list of sign-in methods and in the mail about it', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/account/identities');
    await visitor.signIn(person);
    await visitor.press('Connect Contoso & “Sons”');
    await visitor.page.waitForURL(/\/at\//);
    await visitor.press('Sign in');
    await visitor.press('Go back');
    await visitor.page.getByRole('listitem').getByText('Contoso & “Sons”', { exact: true }).waitFor();
    const mail = (await app.mails(person.email, 2)).at(-1) ?? '';
    expect(mail.replace(/=\r?\n/g, '')).toContain('with Contoso &');
  });
});
