import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { temporaryFolder } from './temporary-folder.js';

/** Path of Debian's Chromium. */
export const FULL_CHROMIUM = '/usr/bin/chromium';
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Path of a Chromium: Debian's headless shell if installed, which takes a third of the processor
 * time.
 */
export const CHROMIUM =
  process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : FULL_CHROMIUM);

/** Fewer processes: no graphics, and tabs that share a renderer. A fifth less processor time. */
export const LIGHT = ['--disable-gpu', '--in-process-gpu', '--renderer-process-limit=2'] as const;

/**
 * A separate browser. The full Chromium refuses third-party cookies, as more and more browsers do;
 * the headless shell cannot.
 */
export class Browser {
  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
    private readonly profile: string,
  ) {}

  static async open(executablePath = CHROMIUM): Promise<Browser> {
    const profile = temporaryFolder('browser');
    await mkdir(join(profile, 'Default'));
    const preferences = { profile: { block_third_party_cookies: true, cookie_controls_mode: 1 } };
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: [...LIGHT] });
    return new Browser(context.pages()[0] ?? (await context.newPage()), context, profile);
  }

  async close(): Promise<void> {
    await this.context.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Heading of the page. */
  heading(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText();
  }

  /** Presses a link or a button. */
  async press(name: string | RegExp): Promise<void> {
    const { page } = this;
    await page.getByRole('link', { name }).or(page.getByRole('button', { name })).click();
  }

  /** Returns where the server at this address redirects this browser to, without going there. */
  async redirectOf(url: string): Promise<string> {
    const answer = await this.page.request.get(url, { maxRedirects: 0 });
    return answer.headers()['location'] ?? '';
  }

  /** Takes a screenshot of the page in both themes for review, where SCREENSHOTS names a folder. */
  async show(name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS'];
    if (!folder) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      await this.page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
  }
}
