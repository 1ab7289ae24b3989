import { CHROMIUM } from '../../support/chromium.js';
import { Lab } from '../../support/lab.js';
import { describeWith } from '../../support/tools.js';

/** Tests `npm run lab -- two-organizations` in a browser. */
describeWith([CHROMIUM], 'The lab of two organizations', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.open('two-organizations');
  });
  afterAll(() => lab.close(), 60_000);

  it.each([
    ['north-freight', 'North Freight'],
    ['south-parcels', 'South Parcels'],
  ])('signs a person of %s in by its own provider', async (slug, name) => {
    await lab.freshBrowser();
    await lab.page.goto(`${lab.gatehouse}/o/${slug}/sign-in`);
    await lab.press(`Continue with Sign-in of ${name}`);
    await lab.press('Sign in');
    await lab.press('Go back');
    await lab.page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await lab.page.getByText(name).first().waitFor();
  });
});
