import type { ChildProcess } from 'node:child_process';
import { exitOf, freePort, launch, runBuilt } from '../../test/support/built-service.js';
import { CookieJar } from '../../test/support/cookie-jar.js';
import { Person } from '../../test/support/organization.js';
import { TestSatellite } from '../../test/support/satellite.js';
import { eventually, TestApp } from '../../test/support/test-app.js';

const PROGRAM = 'client/examples/satellite.mjs';

/**
 * Tests of the satellite in plain JavaScript. The test is its app.
 * @param node that runs it
 */
export function satelliteExample(node: string): void {
  let app: TestApp;
  let url: string;
  let satellite: TestSatellite;
  let server: ChildProcess;
  let ada: Person;
  let jar: CookieJar;
  beforeAll(async () => {
    app = await TestApp.start();
    url = `http://127.0.0.1:${await freePort()}`;
    satellite = await TestSatellite.register(app, 'plain-satellite', `${url}/callback`);
    const environment = {
      GATEHOUSE_URL: app.url,
      APP_URL: 'http://shop.test',
      OWN_URL: url,
      CLIENT_ID: satellite.clientId,
      CLIENT_SECRET: satellite.clientSecret,
    };
    server = launch([PROGRAM], environment, node);
    await eventually('the satellite answers', () => fetch(url).then(Boolean, () => false));
  });
  beforeEach(async () => {
    ada = await Person.signUp(app);
    jar = new CookieJar();
  });
  afterAll(async () => {
    server.kill('SIGTERM');
    await exitOf(server);
    await app.stop();
  });

  const visit = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: jar.header, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${url}${path}`, { ...init, headers, redirect: 'manual' });
    jar.keep(response);
    const location = response.headers.get('location') ?? '';
    return { status: response.status, location, text: await response.text() };
  };
  const greeting = async () => (await visit('/')).text;
  /** @returns the address to which the app redirects the visitor */
  const authorize = async (): Promise<string> => {
    const { searchParams } = new URL((await visit('/sign-in')).location);
    const { body } = await satellite.issue(ada.token, searchParams.get('codeChallenge') ?? '');
    const state = searchParams.get('state') ?? '';
    return `/callback?${new URLSearchParams({ code: String(body['code']), state })}`;
  };
  const signIn = async () => visit(await authorize());

  it('signs a visitor in, in a new visit', async () => {
    expect(await greeting()).toContain('You are not signed in');
    const callback = await authorize();
    const before = jar.header;
    expect(await visit(callback)).toMatchObject({ status: 303, location: '/' });
    expect(jar.header).not.toBe(before);
    expect(await greeting()).toContain('Hello Ada');
  });

  it('shows a name as text', async () => {
    await app.call('PATCH', '/api/v1/iam/me', { firstName: '<b>' }, { token: ada.token });
    await signIn();
    expect(await greeting()).toContain('Hello &#60;b&#62;');
  });

  it('notices a logout at the app', async () => {
    await signIn();
    await app.post('logout', undefined, { token: ada.token });
    await eventually('the visitor is signed out', async () => (await greeting()).includes('not signed in'));
  });

  it('ends the session, for a form of its own only', async () => {
    await signIn();
    const signOut = (origin: string) => visit('/sign-out', { method: 'POST', headers: { origin } });
    expect((await signOut('http://evil.test')).status).toBe(403);
    expect(await greeting()).toContain('Hello Ada');
    expect((await signOut(url)).status).toBe(303);
    expect(await greeting()).toContain('not signed in');
    expect((await app.call('GET', '/api/v1/iam/me', undefined, { token: ada.token })).status).toBe(401);
  });

  it('presents a code neither twice nor for another visitor', async () => {
    const callback = await authorize();
    const jarOfAda = jar;
    jar = new CookieJar();
    expect((await visit(callback)).status).toBe(400);
    jar = jarOfAda;
    expect((await visit(callback)).status).toBe(303);
    expect((await visit(callback)).status).toBe(400);
    expect(await greeting()).toContain('Hello Ada');
  });

  it('tells a visitor who has declined at the app, and signs no one in', async () => {
    const { searchParams } = new URL((await visit('/sign-in')).location);
    const state = searchParams.get('state') ?? '';
    const { status, text } = await visit(
      `/callback?${new URLSearchParams({ error: 'access_denied', state })}`,
    );
    expect([status, text]).toEqual([200, expect.stringContaining('You have declined')]);
    expect(await greeting()).toContain('not signed in');
  });

  it('keeps running after requests that make no sense', async () => {
    for (const path of ['//[', '/callback', '/nothing', '/constructor']) await visit(path);
    expect((await visit('/')).status).toBe(200);
  });

  it('names the missing settings at its start', async () => {
    const { code, stderr } = await runBuilt(PROGRAM, [], { OWN_URL: url, CLIENT_ID: 'x' }, node);
    expect(code).toBe(1);
    expect(stderr).toContain('GATEHOUSE_URL, APP_URL, CLIENT_SECRET');
  });
}
