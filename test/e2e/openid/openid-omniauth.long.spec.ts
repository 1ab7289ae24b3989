import { ClientService } from '../../../src/client/index.js';
import { freePort } from '../../support/built-service.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { expectGuarded } from '../../support/guarded-request.js';
import { Person } from '../../support/organization.js';
import { Program } from '../../support/program.js';
import { TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const GEM =
  '/usr/share/rubygems-integration/all/specifications/gitlab-omniauth-openid-connect-0.10.0.gemspec';
const SCRIPT = `${process.cwd()}/test/support/omniauth-app.rb`;
const CALLBACK = '/auth/openid_connect/callback';

describeWith(['ruby', GEM], 'OmniAuth with the strategy of GitLab', () => {
  let app: TestApp;
  let ruby: Program;
  let site: string;
  let person: Person;
  let jar: CookieJar;
  beforeAll(async () => {
    const [port, applicationPort] = [await freePort(), await freePort()];
    const issuer = `http://127.0.0.1:${applicationPort}`;
    site = `http://127.0.0.1:${port}`;
    app = await TestApp.start({ PORT: String(applicationPort), PUBLIC_URL: issuer });
    const { clientSecret = '' } = await app.app.get(ClientService, { strict: false }).register(null, {
      clientId: 'gitlab',
      name: 'GitLab',
      redirectUris: [site + CALLBACK],
      firstParty: true,
    });
    ruby = await Program.start('ruby', {
      port,
      args: [SCRIPT, String(port), issuer, 'gitlab', clientSecret],
    });
  });
  beforeEach(async () => {
    jar = new CookieJar();
    person = await Person.signUp(app);
  });
  afterAll(async () => {
    await ruby?.stop();
    await app.stop();
  });

  /** Opens an address as a browser does. */
  const open = async (url: string) => {
    const headers = { cookie: jar.header };
    const response = await fetch(url, { headers, redirect: 'manual' });
    if (url.startsWith(site)) jar.keep(response);
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      text: await response.text(),
    };
  };

  /** Starts a sign-in, and approves it. @returns where the browser goes then */
  const approve = async (): Promise<string> => {
    const { location: authorize } = await open(`${site}/auth/openid_connect`);
    expectGuarded(authorize);
    const { location: page } = await open(authorize);
    const id = new URL(page).searchParams.get('request');
    const path = `/api/v1/iam/auth/authorizations/${id}/approve`;
    const approved = await app.call('POST', path, {}, { token: person.token });
    return String(approved.body['redirectTo']);
  };

  it('signs a person in by discovery, a code and its verifier', async () => {
    const { status, text } = await open(await approve());
    expect([status, text]).toEqual([200, expect.stringContaining(person.id)]);
    expect(JSON.parse(text)).toEqual({
      uid: person.id,
      name: 'Ada',
      email: person.email,
      scope: 'openid profile email',
    });
  });

  it('refuses a sign-in that another browser began, and a code that was used', async () => {
    const back = await approve();
    const own = jar;
    jar = new CookieJar();
    expect(await open(back)).toMatchObject({ status: 403, text: expect.stringContaining('csrf') });
    jar = own;
    const url = new URL(back);
    url.searchParams.set('code', 'used-or-invented');
    expect(await open(url.href)).toMatchObject({
      status: 403,
      text: expect.stringContaining('invalid_grant'),
    });
  });

  it('is told that the person has refused', async () => {
    const { location: authorize } = await open(`${site}/auth/openid_connect`);
    const { location: page } = await open(authorize);
    const id = new URL(page).searchParams.get('request');
    const denied = await app.call('POST', `/api/v1/iam/auth/authorizations/${id}/deny`);
    expect(await open(String(denied.body['redirectTo']))).toMatchObject({
      status: 403,
      text: expect.stringContaining('access_denied'),
    });
  });
});
