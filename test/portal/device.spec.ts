import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { describeWith } from '../support/tools.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

describeWith([CHROMIUM], 'The page for devices', () => {
  let ada: Person;
  let scanner: RelyingParty;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    ada = await Person.signUp(app);
    scanner = await RelyingParty.register(app, { name: 'Depot scanner', grantTypes: [DEVICE_CODE] });
  });

  const begin = async () =>
    (await scanner.post('/oauth2/device_authorization', { scope: 'openid email' })).body as Record<
      string,
      string
    >;
  const poll = async (code: string | undefined) =>
    scanner.post('/oauth2/token', { grant_type: DEVICE_CODE, device_code: code ?? '' });

  it('signs a person in after a warning, and with nothing less than a press', async () => {
    const started = await begin();
    const link = new URL(String(started['verification_uri_complete']));
    await visitor.goto(link.pathname + link.search);
    await visitor.signIn(ada);
    await visitor.sees('Sign in to Depot scanner?');
    await visitor.reads(String(started['user_code']));
    await visitor.reads(/Continue only if you have the device in front of you/);
    await visitor.reads('Your email address');
    expect((await poll(started['device_code'])).body).toMatchObject({ error: 'authorization_pending' });
    await visitor.press(`Sign in on this device as ${ada.email}`);
    await visitor.sees('The device is signed in');
    expect((await poll(started['device_code'])).status).toBe(200);
  });

  it('says that a code is wrong at the field, and lets the person refuse a device', async () => {
    await visitor.goto('/device');
    await visitor.signIn(ada);
    await visitor.fill('Code', 'bbbb bbbb');
    await visitor.press('Continue');
    await visitor.reads('This code is unknown, used or expired. Check the screen of the device.');
    const started = await begin();
    await visitor.fill('Code', String(started['user_code']));
    await visitor.press('Continue');
    await visitor.press('Refuse');
    await visitor.sees('The device is not signed in');
    expect((await poll(started['device_code'])).body).toMatchObject({ error: 'access_denied' });
  });
});
