import { CHROMIUM } from '../support/chromium.js';
import { PortalBrowser, type Visitor } from '../support/portal.js';
import { SatelliteDemo } from '../support/satellite-demo.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // starts the demo: the service, the help centre and its shop

/** One session at several satellites, shown by the portal. */
describeWith([CHROMIUM], 'Satellites at the portal', () => {
  let demo: SatelliteDemo;
  let browser: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    demo = await SatelliteDemo.start('--app');
    browser = await PortalBrowser.open(demo.portal);
    visitor = await browser.visitor();
  });
  afterAll(async () => {
    await browser.leave();
    await browser.close();
    expect(await demo.interrupt()).toBe(0);
  });

  it('shows which satellites use a session, and ends it at all of them', async () => {
    const { page } = visitor;
    await visitor.goto(demo.helpCentre);
    await visitor.press('Sign in with Quayside');
    await page.getByLabel('Email').fill(demo.person.email);
    await page.getByLabel('Password').fill(demo.person.password);
    await visitor.press('Sign in');
    await visitor.sees('Hello Ada, how can we help?');

    const portal = await visitor.tab();
    await portal.goto('/account/sessions');
    await portal.signIn(demo.person);
    const sessions = portal.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    const there = sessions.filter({ has: portal.page.getByRole('list', { name: 'Connected apps' }) });
    await there.getByText('help-centre').waitFor();
    await portal.reads('This device');
    await there.getByRole('button').click();
    await there.first().waitFor({ state: 'detached' });

    await visitor.goto(demo.helpCentre);
    await visitor.reads('You are not signed in');
    await visitor.goto(demo.shop);
    await visitor.sees('Sign in');
    await portal.page.reload();
    await portal.reads('This device');
  });
});
