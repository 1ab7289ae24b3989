import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHROMIUM } from '../support/chromium.js';
import { login } from '../support/factors.js';
import { Person } from '../support/organization.js';
import { PortalBrowser, startPortal } from '../support/portal.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const run = promisify(execFile);

/** Programs of others stand in for the telephone: one reads the screen, one computes the code. */
describeWith([CHROMIUM, 'zbarimg', 'oathtool'], 'The QR code of an authenticator app', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let folder: string;
  beforeAll(async () => {
    app = await startPortal({ MFA_ISSUER: 'Müller & Söhne' });
    portal = await PortalBrowser.open(app.url);
    folder = temporaryFolder('qr');
  });
  afterAll(async () => {
    await portal.close();
    await app.stop();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['light', 1_280],
    ['dark', 390],
  ] as const)('is read from a %s screen, %i wide, and gives the right code', async (colorScheme, width) => {
    const visitor = await portal.visitor({ colorScheme, viewport: { width, height: 844 } });
    const person = await Person.signUp(app);
    await visitor.goto('/account/security');
    await visitor.signIn(person);
    await visitor.press('Add authenticator app');
    const dialog = visitor.page.getByRole('dialog', { name: 'Add authenticator app' });
    await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    const path = join(folder, `${colorScheme}.png`);
    await visitor.page.screenshot({ path });
    const scanned = (await run('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', path])).stdout;
    const uri = new URL(scanned.trim());
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toMatch(new RegExp(`Müller & Söhne:${person.email}$`));
    const secret = uri.searchParams.get('secret') ?? '';
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      issuer: 'Müller & Söhne',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    const code = (await run('oathtool', ['--totp', '--base32', secret])).stdout.trim();
    await dialog.getByLabel('Code from the app').fill(code);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await visitor.page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
    expect((await login(app, person)).status).toBe(403);
    await portal.leave();
  });
});
