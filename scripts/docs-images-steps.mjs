// Takes the pictures of the portal for the documents, in both themes, from a service of its own
// with the people of npm run seed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { OwnService } from './own-service.mjs';

const FOLDER = 'docs/images';
const VIEWPORT = { width: 1100, height: 700 };
const ADA = { email: 'ada@example.com', password: 'quiet-harbour-42' };
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
if (!executablePath) {
  process.stderr.write('No Chromium. Set CHROMIUM, or on Debian: scripts/need.sh chromium\n');
  process.exit(1);
}

const service = await OwnService.start();
const browser = await chromium.launch({ executablePath });
try {
  execFileSync(process.execPath, ['scripts/seed.mjs', '--url', service.base], { stdio: 'ignore' });
  const page = await browser.newPage({ viewport: VIEWPORT, locale: 'en' });
  await page.goto(`${service.base}/sign-in`);
  await page.getByLabel('Email address').fill(ADA.email);
  await take(page, 'portal-sign-in');
  await page.getByLabel('Password', { exact: true }).fill(ADA.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Lovelace Logistics' }).click();
  await page.getByText('grace@example.com').first().waitFor();
  await take(page, 'portal-members');
} finally {
  await browser.close();
  await service.stop();
}

async function take(page, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: `${FOLDER}/${name}-${colorScheme}.png`, caret: 'hide' });
  }
}
