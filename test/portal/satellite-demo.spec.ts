import { CHROMIUM } from '../support/chromium.js';
import { PortalBrowser, type Visitor } from '../support/portal.js';
import { SatelliteDemo } from '../support/satellite-demo.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // starts the demo: the service and the help centre

/** `npm run demo:satellite`: a satellite and the portal, which share one session. */
describeWith([CHROMIUM], 'The satellite demo', () => {
  let demo: SatelliteDemo;
  let browser: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    demo = await SatelliteDemo.start();
    browser = await PortalBrowser.open(demo.portal);
    visitor = await browser.visitor();
  });
  afterAll(async () => {
    await browser.leave();
    await browser.close();
    expect(await demo.interrupt()).toBe(0);
  });

  it('signs in at the help centre, and out of both', async () => {
    await visitor.goto(demo.helpCentre);
    await visitor.press('Sign in with Quayside');
    await visitor.reads('To continue to Quayside Help.');
    await visitor.signIn(demo.person);
    await visitor.press(`Continue as ${demo.person.email}`);
    await visitor.sees('Hello Ada, how can we help?');

    const portal = await visitor.tab();
    await portal.goto('/account/sessions');
    await portal.page.getByRole('list', { name: 'Connected apps' }).getByText('help-centre').waitFor();
    await portal.press(/^My account/);
    await portal.press('Sign out');
    await portal.sees('Sign in');

    await visitor.goto(demo.helpCentre);
    await visitor.reads('You are not signed in');
  });

  it('brings back a visitor who declines, not signed in', async () => {
    await visitor.goto(demo.helpCentre);
    await visitor.press('Sign in with Quayside');
    await visitor.signIn(demo.person);
    await visitor.press('Cancel');
    await visitor.sees('You have not signed in');
    await visitor.goto(demo.helpCentre);
    await visitor.reads('You are not signed in');
  });
});
