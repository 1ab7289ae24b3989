import { Browser } from './chromium.js';
import { Demo } from './demo.js';

/** Starts `npm run lab`, and a browser at its app. */
export class Lab {
  private constructor(
    private readonly demo: Demo,
    private browser: Browser,
  ) {}

  /** @param names of real providers; none for the stand-ins */
  static async open(...names: readonly string[]): Promise<Lab> {
    return new Lab(await Demo.start('scripts/lab-steps.mjs', names), await Browser.open());
  }

  async close(): Promise<void> {
    await this.browser.close();
    const code = await this.demo.interrupt();
    if (code !== 0) throw new Error(`The lab ended with ${code}.`);
  }

  get app(): string {
    return this.demo.told('The app');
  }

  get gatehouse(): string {
    return this.demo.told('Gatehouse');
  }

  /** Output so far, including the log of the service. */
  get said(): string {
    return this.demo.printed;
  }

  get page(): Browser['page'] {
    return this.browser.page;
  }

  /** Forgets the user who is signed in at a provider. */
  async freshBrowser(): Promise<void> {
    await this.browser.close();
    this.browser = await Browser.open();
  }

  /** Follows the printed link to the page of the provider. */
  async leave(kind: string, form: 'code' | 'tokens' = 'code'): Promise<void> {
    await this.page.goto(`${this.app}/?kind=${kind}&form=${form}`);
    await this.page.waitForURL((url) => url.href !== `${this.app}/`);
  }

  /** Begins a sign-in without a browser. @returns the address for the browser */
  async authorizationUrl(kind: string): Promise<URL> {
    const response = await fetch(`${this.gatehouse}/api/iam/auth/external/${kind}/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return new URL(((await response.json()) as { authorizationUrl: string }).authorizationUrl);
  }

  press(name: string | RegExp): Promise<void> {
    return this.browser.press(name);
  }

  /** Returns what the app's page says, and the profile of the user who signed in. */
  async landing(): Promise<{
    readonly heading: string;
    readonly words: string;
    readonly shown: Record<string, unknown>;
  }> {
    await this.page.waitForURL(`${this.app}/`);
    await this.page.getByRole('heading', { level: 1, name: /igned in/ }).waitFor();
    const names = await this.page.locator('h2').allInnerTexts();
    const values = await this.page.locator('pre').allInnerTexts();
    return {
      heading: await this.browser.heading(),
      words: await this.page.locator('#words').innerText(),
      shown: Object.fromEntries(names.map((name, at) => [name, JSON.parse(values[at] ?? 'null') as unknown])),
    };
  }
}
