import { CHROMIUM } from '../support/chromium.js';
import { pngOf } from '../support/images.js';
import { Organization, Person } from '../support/organization.js';
import { isFocused, mailedLink, withPortal, type Visitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // several pages and sign-ins, on a busy machine

/** What is used of a window. */
interface View {
  getComputedStyle(node: unknown): { readonly backgroundColor: string };
}

const backgrounds = (nodes: readonly { readonly ownerDocument: { readonly defaultView: unknown } }[]) =>
  nodes.map((node) => (node.ownerDocument.defaultView as View).getComputedStyle(node).backgroundColor);

/** @param color as `#7a1fa2` */
const rgbOf = (color: string): string =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`;

describeWith([CHROMIUM], 'The look of an organization, at the portal', () => {
  let visitor: Visitor;
  let organization: Organization;
  let counter = 0;
  const { app, portal } = withPortal();
  beforeEach(async () => {
    visitor = await portal.visitor();
    organization = await Organization.found(app);
  });

  const invite = async (by: Organization): Promise<string> => {
    const email = `newcomer-${(counter += 1)}@example.com`;
    await by.call('POST', '/invitations', { email, roles: ['member'] });
    return mailedLink(app, email);
  };
  const open = async (link: string) => visitor.goto(link.replace(/^https?:\/\/[^/]+/, ''));
  const accent = () =>
    visitor.page
      .getByRole('button', { name: 'Create account and join' })
      .evaluate(
        (node) => (node.ownerDocument.defaultView as unknown as View).getComputedStyle(node).backgroundColor,
      );

  it('is set with a preview, and shown on an invitation of that organization alone', async () => {
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Settings');
    await visitor.fill('Display name', 'Lovelace');
    await visitor.page.getByLabel('Color').fill('#7a1fa2');
    await visitor.fill('Help page', 'https://help.example.com/');
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: pngOf({ width: 64, height: 32 }) };
    await visitor.page.getByLabel('Logo').setInputFiles(logo);
    const preview = visitor.page.getByRole('group', { name: 'Preview' });
    await preview.getByText('Lovelace').first().waitFor();
    await visitor.press('Save');
    await visitor.reads('Branding saved.');
    await preview.locator('img').first().waitFor();
    const { body } = await organization.call('GET', '/branding');
    expect(await preview.locator('.button').evaluateAll(backgrounds)).toEqual([
      'rgb(122, 31, 162)',
      rgbOf(String(body['accentColorDark'])),
    ]);
    const themes = preview.locator('.in-look');
    expect(await themes.evaluateAll(backgrounds)).toEqual([rgbOf('#ffffff'), rgbOf('#182127')]);
    const other = await Organization.found(app);
    const [mine, theirs] = [await invite(organization), await invite(other)];
    await visitor.page.context().clearCookies();
    await open(mine);
    await visitor.sees('Join Lovelace Logistics');
    await visitor.reads('Lovelace');
    await visitor.reads('Help of Lovelace');
    const image = visitor.page.locator('.look img');
    await image.waitFor();
    expect(await image.evaluate((node) => (node as unknown as { naturalWidth: number }).naturalWidth)).toBe(
      64,
    );
    expect(await accent()).toBe('rgb(122, 31, 162)');
    await open(theirs);
    await visitor.sees('Join Lovelace Logistics');
    expect(await visitor.page.locator('.look').count()).toBe(0);
    expect(await accent()).not.toBe('rgb(122, 31, 162)');
  });

  it('is shown where people sign in to that organization alone', async () => {
    await organization.call('PUT', '/branding', { displayName: 'Lovelace', accentColor: '#7a1fa2' });
    const look = visitor.page.locator('.look').getByText('Lovelace', { exact: true });
    await visitor.goto(`/o/${organization.id}/sign-in`);
    await visitor.sees('Sign in');
    await look.waitFor();
    await visitor.page.reload();
    await look.waitFor();
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Overview');
    const other = await Organization.found(app);
    visitor = await portal.visitor();
    await visitor.goto(`/o/${other.id}/sign-in`);
    await visitor.sees('Sign in');
    await visitor.page.getByLabel('Password', { exact: true }).waitFor();
    expect(await visitor.page.locator('.look').count()).toBe(0);
  });

  it('says what is wrong with a color and a file', async () => {
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Settings');
    await visitor.page.getByLabel('Color').fill('#ffee00');
    await visitor.press('Save');
    await visitor.reads(
      'This color has a contrast of 1.2 to 1 with white. It needs 4.5: choose a darker one.',
    );
    expect(await isFocused(visitor.page.getByLabel('Color'))).toBe(true);
    await visitor.page.getByLabel('Color').fill('#7a1fa2');
    const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
    await visitor.page.getByLabel('Logo').setInputFiles(svg);
    await visitor.press('Save');
    await visitor.reads(/PNG or WebP image/);
  });

  it('lets members ask for their data, and save it', async () => {
    await visitor.goto('/account/data');
    await visitor.signIn(await Person.signUp(app));
    await visitor.sees('My data');
    await visitor.press('Request my data');
    await visitor.reads('Ready');
    const saved = visitor.page.waitForEvent('download');
    await visitor.press('Download');
    expect((await saved).suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/);
  });
});
