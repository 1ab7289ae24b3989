import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { PageServer } from '../lab/site/server.js';
import { StandIns } from '../lab/stand-ins.js';
import { freePort } from './built-service.js';
import { CHROMIUM, LIGHT } from './chromium.js';
import { TestApp, withStarted } from './test-app.js';

type Settings = Record<string, string>;

/** Starts the service at an address that browsers can open and that is its public URL. */
export async function startPortal(
  overrides: Settings = {},
  modules: Parameters<typeof TestApp.start>[2] = [],
): Promise<TestApp> {
  const port = String(await freePort());
  return TestApp.start({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...overrides }, false, modules);
}

/**
 * Starts the service and a browser for the tests of a `describe`, and stops them; each test ends
 * without a broken page.
 * @param overrides settings, or what returns them once the hooks before have run
 */
export function withPortal(overrides: Settings | (() => Settings) = {}): {
  readonly app: TestApp;
  readonly portal: PortalBrowser;
} {
  const app = withStarted(
    () => startPortal(typeof overrides === 'function' ? overrides() : overrides),
    (one) => one.stop(),
  );
  const portal = withStarted(
    () => PortalBrowser.open(app.url),
    (one) => one.close(),
  );
  afterEach(() => portal.leave());
  return { app, portal };
}

/** Returns a user who has a new device in each test of a `describe`. */
export function withVisitor(portal: PortalBrowser): Visitor {
  const visitor = Object.create(Visitor.prototype) as Visitor;
  beforeEach(async () => {
    Object.assign(visitor, await portal.visitor());
  });
  return visitor;
}

/** Starts mock providers of every kind for the tests of a `describe`, and stops them. */
export function withStandIns(): StandIns {
  let site: PageServer;
  return withStarted(
    async () => {
      site = await new PageServer().listen();
      return StandIns.open(site);
    },
    async (one) => {
      await one.stop();
      await site.stop();
    },
  );
}

/** Returns the link in the newest mail to an address, once there are `count` mails. */
export async function mailedLink(app: TestApp, to: string, count = 1): Promise<string> {
  const mail = (await app.mails(to, count)).at(-1) ?? '';
  const [link] =
    /http:\S+token=[\w-]+(?:&(?:for|invitation)=[\w-]+)*/.exec(
      mail.replace(/=\n/g, '').replaceAll('=3D', '='),
    ) ?? [];
  if (link === undefined) throw new Error('The mail has no link.');
  return link;
}

/** Returns whether the keyboard is at this element. */
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === node.ownerDocument.activeElement);

/** One Chromium, in which each user has separate cookies, storage and tabs. */
export class PortalBrowser {
  private readonly visitors: Visitor[] = [];

  private constructor(
    private readonly browser: Browser,
    private readonly url: string,
  ) {}

  static async open(url: string): Promise<PortalBrowser> {
    return new PortalBrowser(await chromium.launch({ executablePath: CHROMIUM, args: [...LIGHT] }), url);
  }

  /** A user with a separate device. */
  async visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await this.browser.newContext({
      baseURL: this.url,
      locale: 'en-GB',
      reducedMotion: 'reduce', // what closes is gone at once
      ...options,
    });
    context.setDefaultTimeout(20_000);
    const visitor = await Visitor.of(context, []);
    this.visitors.push(visitor);
    return visitor;
  }

  /** Closes all devices. @throws where a page has violated its policy, or a script has failed */
  async leave(): Promise<void> {
    const broken = this.visitors.flatMap((visitor) => visitor.broken);
    await Promise.all(this.visitors.splice(0).map(({ page }) => page.context().close()));
    if (broken.length > 0) throw new Error(`Pages are broken:\n${broken.join('\n')}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

/** A user at the portal, in one tab. */
export class Visitor {
  private constructor(
    readonly page: Page,
    /** Failures of pages: policy violations and errors of scripts. */
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

  /** Opens another tab of the same browser. */
  tab(): Promise<Visitor> {
    return Visitor.of(this.page.context(), this.broken);
  }

  /** Opens a page, and waits until the script has taken over what the server has written of it. */
  async goto(path: string): Promise<void> {
    await this.page.goto(path);
    await this.page.locator('html[data-first]').waitFor({ state: 'detached' });
  }

  /** Waits for a page by its title. */
  async sees(title: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** Waits for a text anywhere. */
  async reads(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
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

  /** Opens the action menu of an item, and chooses an action. */
  async choose(label: string, action: string): Promise<void> {
    await this.press(label);
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Signs in on the sign-in page, wherever that leads. */
  async signIn({ email, password }: { readonly email: string; readonly password: string }): Promise<void> {
    await this.fill('Email address', email);
    await this.fill('Password', password);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
}
