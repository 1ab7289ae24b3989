import { ulid } from 'ulid';
import { SIGN_IN_ERRORS } from '../../src/external-identity/providers/provider.js';
import { OidcStandIn } from '../../test/lab/oidc-stand-in.js';
import { LabConnection, oidcSettings } from '../../test/support/connection.js';
import { ExternalVisitor } from '../../test/support/external.js';
import { Organization } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { EXTERNAL_SIGN_IN_FAILURES } from '../src/external-sign-in.js';
import { createFlowStorage, type FlowStorage } from '../src/flow-storage.js';
import { ExternalSignInError, ProblemError } from '../src/index.js';
import { WatchedClient } from './support.js';

const RETURN_URI = 'https://shop.example/signed-in';

describe('External sign-in', () => {
  let lab: OidcStandIn;
  let app: TestApp;
  let tab: WatchedClient;
  beforeAll(async () => {
    lab = await OidcStandIn.start();
    lab.twist = { metadata: { end_session_endpoint: `${lab.issuer}/logout` } };
    app = await TestApp.start({
      ...lab.settings,
      RETURN_URIS: RETURN_URI,
      CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
    });
  });
  beforeEach(() => {
    tab = new WatchedClient(app);
  });
  afterAll(async () => {
    await app.stop();
    await lab.close();
  });

  /**
   * Signs the user in at the provider.
   * @returns the fragment of the return page
   */
  const visit = async (authorizationUrl: string, changes: Record<string, string | null> = {}) => {
    const landing = await new ExternalVisitor(app, 'oidc').open(lab.visit(authorizationUrl, changes));
    return { ...landing, fragment: `#${new URLSearchParams(landing.fragment)}` };
  };
  const failure = async (fragment: string, client = tab) => {
    const error = await client.completeExternalSignIn(fragment).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ExternalSignInError);
    return error as ExternalSignInError;
  };
  const redeemed = () => tab.sent.filter((line) => line.endsWith('/external/token')).length;

  it('signs in by a code, without a token in any address', async () => {
    const url = await tab.startExternalSignIn('oidc', { returnUri: RETURN_URI });
    const { fragment, returnUri } = await visit(url);
    expect([returnUri, fragment]).toEqual([RETURN_URI, expect.not.stringContaining('token')]);
    expect(await tab.completeExternalSignIn(fragment)).toEqual({ signedIn: true });
    expect((await tab.get('/api/v1/iam/me')).data.email).toBe('ada@example.com');
    expect(tab.events).toEqual([['signed-in', { sessionId: expect.any(String) }]]);
  });

  it('by a connection can be ended at the provider as well', async () => {
    const organization = await Organization.found(app);
    const connection = await LabConnection.active(organization, oidcSettings(lab));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const { person } = lab;
    lab.person = { sub: ulid(), email: `grace@${connection.domain}` };
    const url = await tab.startExternalSignIn('oidc', { connectionId: connection.id });
    const { fragment } = await connection.bring(lab.visit(url));
    lab.person = person;
    await tab.completeExternalSignIn(String(new URLSearchParams(fragment)));
    const address = new URL((await tab.logout('session', { upstream: true })) ?? '');
    expect(`${address.origin}${address.pathname}`).toBe(`${lab.issuer}/logout`);
    expect([await tab.isSignedIn(), tab.events.at(-1)]).toEqual([
      false,
      ['signed-out', { reason: 'logout' }],
    ]);
  });

  it('finds the connection for an address, and for an organization', async () => {
    const organization = await Organization.found(app);
    const { id, domain } = await LabConnection.active(organization, oidcSettings(lab));
    for (const known of [{ email: `grace@${domain}` }, { organization: organization.id }])
      expect(await tab.findSignInOptions(known)).toMatchObject({ connection: { id } });
    expect(await tab.findSignInOptions({})).not.toHaveProperty('connection');
  });

  it('passes on what a second factor needs, of a fragment too', async () => {
    const url = await tab.startExternalSignIn('oidc');
    const state = new URL(url).searchParams.get('state') ?? '';
    const fragment = new URLSearchParams({
      state,
      error: 'second_factor_required',
      challenge: 'c'.repeat(43),
      methods: 'totp recovery_code',
    });
    const { code, secondFactor } = await failure(String(fragment));
    expect([code, secondFactor]).toEqual([
      'second_factor_required',
      { challenge: 'c'.repeat(43), methods: ['totp', 'recovery_code'] },
    ]);
  });

  it('fails in a tab that has not started it', async () => {
    const { fragment } = await visit(await tab.startExternalSignIn('oidc'));
    const other = new WatchedClient(app);
    expect((await failure(fragment, other)).code).toBe('unexpected');
    await other.startExternalSignIn('oidc');
    expect((await failure(fragment, other)).code).toBe('unexpected');
    expect(other.sent).toHaveLength(1); // the code is not presented
    expect(await tab.completeExternalSignIn(fragment)).toEqual({ signedIn: true });
  });

  it('is completed once: a reload does not present the code again', async () => {
    const { fragment } = await visit(await tab.startExternalSignIn('oidc'));
    await tab.completeExternalSignIn(fragment);
    expect((await failure(fragment)).code).toBe('unexpected');
    expect(redeemed()).toBe(1);
    expect((await tab.get('/api/v1/iam/me')).status).toBe(200);
  });

  it('ignores tokens in an address', async () => {
    await tab.startExternalSignIn('oidc');
    expect((await failure('#access_token=x&refresh_token=y&session_id=z&state=forged')).code).toBe(
      'unexpected',
    );
    expect(await tab.isSignedIn()).toBe(false);
  });

  it('says what to do after the user cancels', async () => {
    const url = await tab.startExternalSignIn('oidc');
    const { fragment } = await visit(url, { code: null, error: 'access_denied' });
    expect(await failure(fragment)).toMatchObject({
      code: 'access_denied',
      message: expect.stringContaining('Try again'),
    });
    expect(redeemed()).toBe(0);
  });

  it('knows each failure of the service, and the one of the client', () => {
    const found = [...Object.keys(SIGN_IN_ERRORS), 'unexpected'];
    expect(EXTERNAL_SIGN_IN_FAILURES.toSorted()).toEqual(found.toSorted());
  });

  it('refuses a provider that is not configured', async () => {
    const error = await tab.startExternalSignIn('saml').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'not-found' });
  });

  it('links an identity to the signed-in account', async () => {
    const person = await app.register();
    await tab.login(person);
    lab.person = { sub: 'subject-2', email: person.email, email_verified: true };
    const { fragment } = await visit(await tab.startExternalLink('oidc', { returnUri: RETURN_URI }));
    expect(fragment).toContain('link_code=');
    expect(await tab.completeExternalSignIn(fragment)).toMatchObject({ linked: { kind: 'oidc' } });
    const { data } = await tab.get('/api/v1/iam/me/identities');
    expect(data.items).toEqual([expect.objectContaining({ kind: 'oidc', issuer: lab.issuer })]);
  });
});

describe('The storage of started sign-ins', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('is the storage of a browser, and the memory of one client in Node.js', () => {
    const ofBrowser: FlowStorage = {
      getItem: () => null,
      setItem: () => undefined,
      removeItem: () => undefined,
    };
    const [one, other] = [createFlowStorage(() => ofBrowser), createFlowStorage(() => ofBrowser)];
    one.setItem('flow', 'started');
    expect([one.getItem('flow'), other.getItem('flow')]).toEqual(['started', null]);
    one.removeItem('flow');
    expect(one.getItem('flow')).toBeNull();
    Object.assign(globalThis, { document: {} });
    expect(createFlowStorage(() => ofBrowser)).toBe(ofBrowser);
  });
});
