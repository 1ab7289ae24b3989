import type { ChildProcess } from 'node:child_process';
import { answers, exitOf, freePort, launch } from './built-service.js';
import { CookieJar } from './cookie-jar.js';
import { TestSatellite } from './satellite.js';
import { eventually, type TestApp } from './test-app.js';

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The help centre of the examples as a process. The test is its app. */
export class HelpCentre {
  private constructor(
    readonly url: string,
    readonly satellite: TestSatellite,
    private readonly child: ChildProcess,
  ) {}

  /** @param gatehouseUrl address of the service for the help centre */
  static async start(app: TestApp, gatehouseUrl: string): Promise<HelpCentre> {
    const url = `http://127.0.0.1:${await freePort()}`;
    const satellite = await TestSatellite.register(app, 'help-centre', `${url}/callback`);
    const child = launch(['examples/help-centre/help-centre.ts'], {
      GATEHOUSE_URL: gatehouseUrl,
      OWN_URL: url,
      SITE_NAME: 'Help',
      APP_NAME: 'Shop',
      APP_URL: 'http://shop.test',
      CLIENT_ID: satellite.clientId,
      CLIENT_SECRET: satellite.clientSecret,
    });
    await eventually('the help centre answers', () => answers(`${url}/style.css`));
    return new HelpCentre(url, satellite, child);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await exitOf(this.child);
  }
}

/** A browser's cookies. It follows no redirects, and keeps everything that was sent to it. */
export class Visitor {
  private readonly jar = new CookieJar();
  readonly received: string[] = [];

  constructor(private readonly helpCentre: HelpCentre) {}

  get(path: string): Promise<Page> {
    return this.ask(path, {});
  }

  /** Presses a button of a page of this origin. */
  post(path: string, origin = this.helpCentre.url): Promise<Page> {
    return this.ask(path, { method: 'POST', headers: { origin } });
  }

  /** Presses "Sign in". @returns the request to the app */
  async depart(): Promise<{ readonly codeChallenge: string; readonly state: string }> {
    const { headers } = await this.get('/sign-in');
    const { searchParams } = new URL(headers.get('location') ?? '');
    return { codeChallenge: searchParams.get('codeChallenge') ?? '', state: searchParams.get('state') ?? '' };
  }

  /** Goes to the app and back, for a user who is signed in there. */
  async signIn(accessToken: string): Promise<Page> {
    const { codeChallenge, state } = await this.depart();
    const { body } = await this.helpCentre.satellite.issue(accessToken, codeChallenge);
    return this.get(`/callback?${new URLSearchParams({ code: String(body['code']), state })}`);
  }

  private async ask(path: string, { headers, ...init }: RequestInit): Promise<Page> {
    const response = await fetch(`${this.helpCentre.url}${path}`, {
      ...init,
      headers: { ...(headers as Record<string, string>), cookie: this.jar.header },
      redirect: 'manual',
    });
    this.jar.keep(response);
    const text = await response.text();
    this.received.push(JSON.stringify([...response.headers]), text);
    return { status: response.status, headers: response.headers, text };
  }
}
