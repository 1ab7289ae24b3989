import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { freePort } from './built-service.js';
import { CHROMIUM } from './chromium.js';
import { TestApp } from './test-app.js';

/** The service at an address that browsers can open: what it calls itself is where it is. */
export async function startPortal(overrides: Record<string, string> = {}): Promise<TestApp> {
  const port = String(await freePort());
  return TestApp.start({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...overrides });
}

/** The link in the newest mail to an address, once there are so many. */
export async function mailedLink(app: TestApp, to: string, count = 1): Promise<string> {
  const mail = (await app.mails(to, count)).at(-1) ?? '';
  const [link] =
    /http:\S+token=[\w-]+(?:&for=[\w-]+)?/.exec(mail.replace(/=\n/g, '').replaceAll('=3D', '=')) ?? [];
  if (link === undefined) throw new Error('The mail has no link.');
  return link;
}

/** One Chromium, in which everybody has cookies, storage and tabs of their own. */
export class PortalBrowser {
  private readonly visitors: Visitor[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly url: string,
  ) {}

  static async open(url: string): Promise<PortalBrowser> {
    return new PortalBrowser(await chromium.launch({ executablePath: CHROMIUM }), url);
  }

  /** Somebody with a device of their own. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.browser.newContext({ baseURL: this.url, ...options });
    context.setDefaultTimeout(20_000);
    const visitor = await Visitor.of(context, []);
    this.visitors.push(visitor);
    return visitor;
  }

  /** Everybody leaves. @throws where a page has broken its policy, or a script has failed */
  async leave(): Promise<void> {
    const broken = this.visitors.flatMap((visitor) => visitor.broken);
    await Promise.all(this.visitors.splice(0).map(({ page }) => page.context().close()));
    if (broken.length > 0) throw new Error(`Pages are broken:\n${broken.join('\n')}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

/** Somebody at the portal, in one tab. */
export class Visitor {
  private constructor(
    readonly page: Page,
    /** What no page may do: break its policy, or fail. */
    readonly broken: string[],
  ) {}

  static async of(context: BrowserContext, broken: string[]): Promise<Visitor> {
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => broken.push(`${page.url()}: ${message}`));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text()))
        broken.push(`${page.url()}: ${message.text()}`);
    });
    return new Visitor(page, broken);
  }

  /** Another tab of the same browser. */
  tab(): Promise<Visitor> {
    return Visitor.of(this.page.context(), this.broken);
  }

  async goto(path: string): Promise<void> {
    await this.page.goto(path);
  }

  /** Waits for a page by its title. */
  async sees(title: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** Waits for a text anywhere. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async fill(label: string, text: string): Promise<void> {
    await this.page
      .getByLabel(label, { exact: true })
      .or(this.page.getByLabel(`${label} (optional)`))
      .fill(text);
  }

  /** Presses a link or a button. */
  async press(name: string | RegExp): Promise<void> {
    const { page } = this;
    const by = { name, exact: true };
    await page
      .getByRole('link', by)
      .or(page.getByRole('button', by))
      .or(page.getByRole('menuitem', by))
      .click();
  }

  /** Opens what can be done with a thing, and chooses. */
  async choose(label: string, action: string): Promise<void> {
    await this.press(label);
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** On the sign-in page, wherever that leads. */
  async signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<void> {
    await this.fill('E-mail address', email);
    await this.fill('Password', password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
}
