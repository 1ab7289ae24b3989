import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHROMIUM } from '../support/chromium.js';
import { pngOf } from '../support/images.js';
import { Person } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'Connected apps at the portal', () => {
  const { app, portal } = withPortal({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  const visitor = withVisitor(portal);

  it('show their logo, also at the sign-in and at the consent', async () => {
    const logo = createServer((_, response) => response.end(pngOf({ width: 64, height: 64 })));
    await new Promise<void>((resolve) => logo.listen(0, '127.0.0.1', resolve));
    const logoUri = `http://127.0.0.1:${(logo.address() as AddressInfo).port}/logo.png`;
    const client = await RelyingParty.register(app, { firstParty: false, logoUri });
    const isKept = 'SELECT 1 FROM satellites WHERE client_id = $1 AND logo_hash IS NOT NULL';
    await eventually('the logo is kept', async () => (await app.sql(isKept, [client.clientId])).length === 1);
    await new Promise((resolve) => logo.close(resolve));
    /** Width of the logo: 0 unless it was loaded, which the policy of the page allows. */
    const widthOf = async () => {
      const image = visitor.page.locator(`img[src^="/api/v1/iam/auth/client-logos/${client.clientId}/"]`);
      await image.waitFor();
      return image.evaluate(async (element) => {
        const loaded = element as unknown as { decode(): Promise<void>; readonly naturalWidth: number };
        await loaded.decode();
        return loaded.naturalWidth;
      });
    };
    const person = await Person.signUp(app);
    await visitor.page.goto((await client.depart()).url.href);
    await visitor.reads('To continue to Help centre.');
    expect(await widthOf()).toBe(64);
    await visitor.signIn(person);
    await visitor.sees('Sign in to Help centre?');
    expect(await widthOf()).toBe(64);
    await client.signIn(person.token);
    await visitor.goto('/account/apps');
    await visitor.sees('Connected apps');
    expect(await widthOf()).toBe(64);
  });

  it('are listed with what they may do, and withdrawn with their tokens', async () => {
    const person = await Person.signUp(app);
    const client = await RelyingParty.register(app, { firstParty: false });
    const { access_token: token } = await client.signIn(person.token);
    const isActive = async () => (await client.post('/oauth2/introspect', { token })).body['active'];
    expect(await isActive()).toBe(true);
    await visitor.goto('/account/apps');
    await visitor.signIn(person);
    await visitor.sees('Connected apps');
    await visitor.reads('Help centre');
    await visitor.reads(/^Authorized \S/);
    await visitor.page.getByText('What it may do').click();
    await visitor.reads('Who you are');
    await visitor.press('Withdraw Help centre');
    await visitor.reads('Help centre is signed out at once');
    await visitor.press('Withdraw');
    await visitor.reads('No connected app yet');
    await visitor.reads('An app appears here once you have let it see your account.');
    expect(await isActive()).toBe(false);
  });
});
