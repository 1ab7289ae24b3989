import { FacebookStandIn } from '../../lab/facebook-stand-in.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { ExternalVisitor } from '../../support/external.js';
import { itemsOf, TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const THEIR_PASSWORD = 'chosen-by-a-stranger-1';
const HER_PASSWORD = 'chosen-by-the-owner-2';

/** Whatever opens an account. */
interface Key {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/**
 * Sudhodanan and Paverd, "Pre-hijacked accounts" (USENIX Security 2022): an attacker prepares an
 * account under the address of another person and waits for its owner. The OpenID Connect provider
 * is the authority for authority.example; Facebook verifies nothing.
 */
describe.each(['off', 'cookie'])('Before the owner of an address comes (browser binding: %s)', (binding) => {
  let oidc: OidcStandIn;
  let facebook: FacebookStandIn;
  let app: TestApp;
  let counter = 0;
  let email: string;
  beforeAll(async () => {
    [oidc, facebook] = [await OidcStandIn.start(), await new FacebookStandIn().listen()];
    app = await TestApp.start({
      ...oidc.settings,
      ...facebook.settings,
      EXTERNAL_OIDC_DOMAINS: 'authority.example',
      EXTERNAL_BROWSER_BINDING: binding,
    });
  });
  beforeEach(() => {
    email = `victim-${(counter += 1)}@authority.example`;
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([oidc.close(), facebook.close()]);
  });

  /** Each in their own browser. */
  const byOidc = async (person: Record<string, unknown>) => {
    const browser = new ExternalVisitor(app, 'oidc');
    oidc.person = person;
    const { body } = await browser.start();
    return (await browser.open(oidc.visit(String(body['authorizationUrl'])))).fragment;
  };
  const byFacebook = async (person: Record<string, unknown>) => {
    const browser = new ExternalVisitor(app, 'facebook_oauth');
    facebook.person = person;
    const { body } = await browser.start();
    const back = new URLSearchParams(facebook.consent(String(body['authorizationUrl'])));
    return (await browser.open(`/api/iam/auth/external/facebook_oauth/callback?${back}`)).fragment;
  };
  const keyOf = ({ access_token: accessToken = '', refresh_token: refreshToken = '' }): Key => ({
    accessToken,
    refreshToken,
  });
  const idOf = async (token: string) => String((await app.get(ME, token)).body['id']);

  const attackersRegister = () => app.post('register', { email, password: THEIR_PASSWORD, firstName: 'Eve' });
  /** Answers what lies in her mails afterwards. */
  const attackersWait = async (): Promise<string> => {
    const { length: before } = await app.mails(email, 0);
    await attackersRegister();
    return app.mailedToken(email, before + 1);
  };
  /** The owner comes by her provider. */
  const victimComesByProvider = async () => keyOf(await byOidc({ sub: email, email, email_verified: true }));
  /** The owner registers, and opens her own mail. */
  const victimRegisters = async (): Promise<Key> => {
    const { length: before } = await app.mails(email, 0);
    await app.post('register', { email, password: HER_PASSWORD, firstName: 'Ada' });
    const token = await app.mailedToken(email, before + 1);
    expect((await app.post('verify-email', { token, password: HER_PASSWORD })).status).toBe(204);
    return app.login({ email, password: HER_PASSWORD });
  };

  /** Expects that the account holds the owner's data only: address, one session, her identities. */
  const expectHers = async ({ accessToken }: Key, identities: readonly string[]): Promise<string> => {
    const { body } = await app.get(ME, accessToken);
    expect(body).toMatchObject({ email, emailVerified: true });
    expect(
      await app.sql('SELECT 1 FROM sessions WHERE account_id = $1 AND ended_at IS NULL', [body['id']]),
    ).toHaveLength(1);
    const owned = await app.sql('SELECT subject FROM external_identities WHERE account_id = $1', [
      body['id'],
    ]);
    expect(owned).toEqual(identities.map((subject) => ({ subject })));
    expect((await app.post('login', { email, password: THEIR_PASSWORD })).status).not.toBe(200);
    return String(body['id']);
  };
  const expectDead = async ({ accessToken, refreshToken }: Key) => {
    expect((await app.get(ME, accessToken)).status).toBe(401);
    expect((await app.post('refresh', { refreshToken })).status).toBe(401);
  };

  it('classic-federated merge: their password does not open the account of who signs in by a provider', async () => {
    const waiting = [await attackersWait(), await attackersWait()];
    await app.post('request-password-reset', { email });
    const hers = await victimComesByProvider();
    await expectHers(hers, [email]);
    for (const token of waiting) expect((await app.post('verify-email', { token })).status).toBe(400);
    // Nor does it when they go on.
    await attackersRegister();
    await app.post('resend-verification', { email });
    await expectHers(hers, [email]);
  });

  it('unexpired session: there is none before the address is proven, and one of a known password ends with it', async () => {
    await attackersWait();
    const tried = await app.post('login', { email, password: THEIR_PASSWORD });
    expect(tried).toMatchObject({ status: 403, body: { type: '/errors/email-not-verified' } });
    await victimRegisters();

    const theirs = await app.login({ email, password: HER_PASSWORD }); // seen over her shoulder
    const browser = new ExternalVisitor(app, 'oidc');
    const begun = String((await browser.link(theirs.accessToken)).body['authorizationUrl']);
    await app.post('request-password-reset', { email });
    const { length: mailed } = await app.mails(email, 3);
    const token = await app.mailedToken(email, mailed);
    const password = 'chosen-once-more-by-her-3';
    expect((await app.post('reset-password', { token, newPassword: password })).status).toBe(204);
    await expectDead(theirs);
    oidc.person = { sub: `trojan-${counter}` };
    expect((await browser.open(oidc.visit(begun))).fragment).toMatchObject({ error: 'link_refused' });
    await expectHers(await app.login({ email, password }), []);
  });

  it('trojan identifier: an identity of theirs gets into no account of her address', async () => {
    const trojan = { id: `trojan-${counter}`, email };
    const theirs = keyOf(await byFacebook(trojan));
    await app.call('PATCH', ME, { email }, { token: theirs.accessToken });
    await attackersWait();
    const hers = await victimRegisters();
    const her = await expectHers(hers, []);
    const again = keyOf(await byFacebook(trojan));
    expect(await idOf(again.accessToken)).toBe(await idOf(theirs.accessToken));
    expect(await idOf(again.accessToken)).not.toBe(her);
    expect((await app.get(ME, again.accessToken)).body).toMatchObject({ email: null });
    expect(itemsOf(await app.get(`${ME}/identities`, hers.accessToken))).toEqual([]);
  });

  it('unexpired email change: addresses are not changed, and a registration that waits for her does not outlive her coming', async () => {
    const waiting = await attackersWait();
    const hers = await victimRegisters();
    // She, or a scanner of her mails, opens it late.
    expect((await app.post('verify-email', { token: waiting })).status).toBe(400);
    await app.call('PATCH', ME, { email: 'eve@example.com' }, { token: hers.accessToken });
    await expectHers(hers, []);
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['says nothing of it', () => byOidc({ sub: `eve-${counter}`, email })],
    ['says that it is not verified', () => byOidc({ sub: `eve-${counter}`, email, email_verified: false })],
    ['says so in a word', () => byOidc({ sub: `eve-${counter}`, email, email_verified: 'false' })],
    ['is Facebook', () => byFacebook({ id: `eve-${counter}`, email })],
  ])('non-verifying provider: one that %s gives them an account without her address', async (_, comeIn) => {
    const theirs = keyOf(await comeIn());
    expect((await app.get(ME, theirs.accessToken)).body).toMatchObject({ email: null, emailVerified: false });
    const her = await expectHers(await victimComesByProvider(), [email]);
    // And neither when she is there.
    expect(await idOf(keyOf(await comeIn()).accessToken)).toBe(await idOf(theirs.accessToken));
    expect(await idOf(theirs.accessToken)).not.toBe(her);
  });

  it('nor does she give her identity away by the address of a link that they began', async () => {
    const theirs = await app.login(await app.register());
    const browser = new ExternalVisitor(app, 'oidc');
    const begun = String((await browser.link(theirs.accessToken)).body['authorizationUrl']);
    oidc.person = { sub: email, email, email_verified: true };
    const landing = await new ExternalVisitor(app, 'oidc').open(oidc.visit(begun));
    const hers = await victimComesByProvider();
    expect(await browser.redeem(hers.accessToken, landing)).toMatchObject({ status: 400 });
    await expectHers(hers, [email]);
    // Though the code comes to them: the identity is hers already.
    expect(await browser.redeem(theirs.accessToken, landing)).toMatchObject({ status: 409 });
  });
});
