import { TwoOrganizations } from '../lab/organizations.mjs';
import { PageServer } from '../test/lab/site/server.ts';
import { shotOf } from './docs-images-pictures.mjs';

const PASSWORD = 'quiet-harbour-42';
const ORGANIZATION = /\/organizations\/(\w{26})/;
/** Tall enough for a dialog as a whole. */
const VIEWPORT = { width: 760, height: 1_300 };
const SIGN_IN_VIEWPORT = { width: 440, height: 800 };
/** A fault of the provider, as its page in the lab names it. */
const FAULT = 'the answer has another audience';
/** What each organization shows of itself. */
const LOOKS = {
  'North Freight': { color: '#0b6b53', shape: '<path d="M32 6 58 56H6z"/>' },
  'South Parcels': { color: '#b3261e', shape: '<path d="M8 8h48v20H8zM8 36h48v20H8z"/>' },
};

/**
 * Takes the pictures of single sign-on, directories and looks, as the two organizations of the lab
 * set them up: South Parcels by SAML, North Freight by OpenID Connect.
 * @param browser of Playwright
 * @param pictures where they are written
 */
export async function takeOrganizations(browser, pictures) {
  const site = await new PageServer().listen();
  try {
    const lab = await TwoOrganizations.open(site);
    try {
      const [north, south] = lab.organizations;
      await takeSouth(await signedIn(browser, lab.service.base, south), south, pictures);
      await takeNorth(browser, await signedIn(browser, lab.service.base, north), north, pictures);
      await takeLooks(browser, lab.organizations, pictures);
    } finally {
      await lab.stop();
    }
  } finally {
    await site.stop();
  }
}

async function takeSouth(page, { name, path }, pictures) {
  await page.goto(`${path}/single-sign-on`);
  await takeDomain(page, pictures);
  await takeForm(page, pictures);
  await takeRequirement(page, pictures);
  await page.getByRole('link', { name: `Sign-in of ${name}` }).click();
  await takeValues(page, 'Entra ID', 'sso-values-saml', pictures);
  await takeTest(page, '', 'The test has passed', 'sso-test-passed', pictures);
  await takeTest(page, FAULT, 'The test has failed', 'sso-test-failed', pictures);
  await takeDirectory(page, path, pictures);
  await setLook(page, path, name);
}

async function takeNorth(browser, page, { name, path }, pictures) {
  await page.goto(`${path}/single-sign-on`);
  await page.getByRole('link', { name: `Sign-in of ${name}` }).click();
  await takeValues(page, 'Okta', 'sso-values-oidc', pictures);
  await setLook(page, path, name);
  await page.goto(`${path}/single-sign-on`);
  await takeSetUp(browser, page, name, pictures);
}

/** The record of a domain. */
async function takeDomain(page, pictures) {
  await page.getByRole('button', { name: 'New domain' }).click();
  await page.getByRole('dialog').getByLabel('Domain', { exact: true }).fill('parcels.example');
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('button', { name: 'Check record of parcels.example' }).waitFor();
  await pictures.take(page, 'sso-domain', section(page, 'Domains'));
}

/** The form of a new connection, for a provider by SAML. */
async function takeForm(page, pictures) {
  await page.getByRole('button', { name: 'New connection' }).click();
  const form = page.getByRole('dialog', { name: 'New connection' });
  await choose(page, form, 'Provider', 'Entra ID');
  await choose(page, form, 'Protocol', 'SAML');
  await form
    .getByLabel('Metadata URL', { exact: true })
    .fill('https://login.microsoftonline.com/5f0c0d6e/federationmetadata/2007-06/federationmetadata.xml');
  await pictures.take(page, 'sso-connection', form);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'hidden' });
}

/** Who could not enter yet, before single sign-on is required. */
async function takeRequirement(page, pictures) {
  await page.getByRole('button', { name: 'Require SSO' }).click();
  const question = page.getByRole('alertdialog', { name: 'Require single sign-on?' });
  await question.getByText(/not signed in with it yet/).waitFor();
  await pictures.take(page, 'sso-require', question);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
}

/** Our values, with the guide of a provider. */
async function takeValues(page, provider, picture, pictures) {
  const values = page.locator('details', { hasText: 'Values to enter at the provider' }); // of an active one
  await values.locator('summary').click();
  await choose(page, values, 'Provider', provider);
  await pictures.take(page, picture, values);
}

/** A test sign-in with its verdicts. */
async function takeTest(page, fault, verdict, picture, pictures) {
  const test = section(page, /Test sign-in$/);
  await test.getByRole('button', { name: /^Start / }).click();
  const opened = page.context().waitForEvent('page');
  await test.getByRole('link', { name: 'Sign in at the provider' }).click();
  const tab = await opened;
  await tab.getByLabel('What goes wrong?').selectOption(fault);
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await tab.getByRole('button', { name: 'Go back' }).click();
  await tab.getByRole('heading', { name: 'Test sign-in finished' }).waitFor();
  await tab.close();
  await test.getByText(verdict).waitFor();
  await pictures.take(page, picture, test);
}

/** What a provider needs to send its people. */
async function takeDirectory(page, path, pictures) {
  await page.goto(`${path}/directories`);
  await page.getByRole('button', { name: 'New directory' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Entra ID');
  await page.getByRole('button', { name: 'Create directory' }).click();
  await page.getByRole('heading', { name: 'Entra ID' }).waitFor();
  await pictures.take(page, 'directory-set-up', section(page, 'Set up at the provider'));
}

/** The page of a set-up link, as a contact without an account sees it. */
async function takeSetUp(browser, page, name, pictures) {
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const link = await page.getByRole('group', { name: 'Set-up link', exact: true }).innerText();
  const contact = await newPage(browser, { viewport: VIEWPORT });
  await contact.goto(link.trim());
  await contact.getByRole('heading', { name: `Set-up for ${name}` }).waitFor();
  await contact.getByRole('button', { name: 'New connection' }).waitFor();
  await pictures.take(contact, 'sso-set-up', contact.locator('main'));
  await contact.context().close();
}

async function setLook(page, path, name) {
  const { color } = LOOKS[name];
  await page.goto(`${path}/settings`);
  await page.getByLabel('Display name').fill(name);
  await page.getByLabel('Color').fill(color);
  const buffer = await logoOf(page, LOOKS[name]);
  await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  const form = page.locator('form', { has: page.getByLabel('Color') });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Branding saved.').waitFor();
}

/** @returns a logo as PNG: a shape in the color of the organization */
async function logoOf(page, { color, shape }) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64" fill="${color}">${shape}</svg>`;
  const paper = await page.context().newPage();
  await paper.setContent(`<style>body { margin: 0 }</style>${svg}`);
  const png = await paper.locator('svg').screenshot({ omitBackground: true });
  await paper.close();
  return png;
}

/** The sign-in pages of the two organizations, next to each other. */
async function takeLooks(browser, organizations, pictures) {
  const shots = [];
  for (const { name, signIn } of organizations) {
    const page = await newPage(browser, { viewport: SIGN_IN_VIEWPORT });
    await page.goto(signIn);
    await page.getByRole('button', { name: `Continue with Sign-in of ${name}` }).waitFor();
    await page.locator('.look img').waitFor();
    shots.push(await shotOf(page, page.locator('.threshold > main')));
    await page.context().close();
  }
  await pictures.beside('two-looks', shots);
}

/** Signs an owner in, and adds the `path` of the organization's pages to it. */
async function signedIn(browser, base, organization) {
  const page = await newPage(browser, { baseURL: base, viewport: VIEWPORT });
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(organization.owner);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: organization.name }).first().click();
  await page.waitForURL(ORGANIZATION);
  [organization.path] = ORGANIZATION.exec(page.url());
  return page;
}

async function newPage(browser, options) {
  const context = await browser.newContext({
    ...options,
    locale: 'en',
    deviceScaleFactor: 1.5,
    reducedMotion: 'reduce',
    bypassCSP: true, // of the style that hides messages
  });
  return context.newPage();
}

function section(page, heading) {
  return page.locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) });
}

async function choose(page, place, field, option) {
  // Its name begins with the value.
  await place.getByRole('button', { name: new RegExp(`(^| )${field}$`) }).click();
  // By the keyboard: a list that still moves misses a press of the mouse.
  await page.getByRole('option', { name: option, exact: true }).press('Enter');
}
