// Takes the pictures of the portal for the documents: of a service of its own with the people of
// npm run seed, and of the two organizations of npm run lab.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { takeOrganizations } from './docs-images-organizations.mjs';
import { Pictures } from './docs-images-pictures.mjs';
import { OwnService } from './own-service.mjs';

const VIEWPORT = { width: 1100, height: 700 };
const ADA = { email: 'ada@example.com', password: 'quiet-harbour-42' };
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
if (!executablePath) {
  process.stderr.write('No Chromium. Set CHROMIUM, or on Debian: scripts/need.sh chromium\n');
  process.exit(1);
}

const browser = await chromium.launch({ executablePath });
try {
  const pictures = await Pictures.open(browser);
  await takePortal(pictures);
  await takeOrganizations(browser, pictures);
} finally {
  await browser.close();
}

/** What the portal looks like, in both themes. */
async function takePortal(pictures) {
  const service = await OwnService.start();
  try {
    execFileSync(process.execPath, ['scripts/seed.mjs', '--url', service.base], { stdio: 'ignore' });
    const page = await browser.newPage({ viewport: VIEWPORT, locale: 'en', bypassCSP: true });
    await page.goto(`${service.base}/sign-in`);
    await page.getByLabel('Email address').fill(ADA.email);
    await pictures.takeInBothThemes(page, 'portal-sign-in');
    await page.getByLabel('Password', { exact: true }).fill(ADA.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Lovelace Logistics' }).click();
    await page.getByRole('link', { name: 'Members', exact: true }).first().click();
    await page.getByText('grace@example.com').filter({ visible: true }).waitFor();
    await pictures.takeInBothThemes(page, 'portal-members');
    await page.close();
  } finally {
    await service.stop();
  }
}
