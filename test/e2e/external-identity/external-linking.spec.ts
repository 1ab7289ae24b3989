import { Client } from 'pg';
import { ulid } from 'ulid';
import { signedInAgo } from '../../support/aged.js';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { roundsOf } from '../../support/long.js';
import { Person } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { eventually, itemsOf, TestApp, tokenIn } from '../../support/test-app.js';

const ROUNDS = roundsOf({ short: 4, long: 20 });
const ME = '/api/v1/iam/me';
const IDENTITIES = `${ME}/identities`;

/**
 * Tests each cell of the linking table (API-15). The provider is the authority for
 * authority.example only.
 */
describe('Linking', () => {
  const { lab, app, visitor } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'authority.example' });
  let counter = 0;

  const address = (domain: string) => `person-${(counter += 1)}@${domain}`;
  const signIn = async (person: Record<string, unknown>) => {
    lab.person = { sub: `subject-${(counter += 1)}`, ...person };
    const { body } = await visitor.start();
    return (await visitor.open(lab.visit(String(body['authorizationUrl'])))).fragment;
  };
  const meOf = async (token: string | undefined) => (await app.get(ME, token)).body;
  const link = async (person: Person, identity: Record<string, unknown>) => {
    lab.person = identity;
    const { body } = await visitor.link(person.token);
    const landing = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    if (landing.fragment['link_code'] !== undefined)
      expect((await visitor.redeem(person.token, landing)).status).toBe(201);
    return landing.fragment;
  };

  it('knows people by issuer and subject: a known identity signs in, whatever its address has become', async () => {
    const email = address('authority.example');
    const sub = 'a-known-subject';
    const first = await meOf((await signIn({ sub, email, email_verified: true }))['access_token']);
    const second = await meOf((await signIn({ sub, email: address('x.example') }))['access_token']);
    expect(first['email']).toBe(email);
    expect(second['id']).toBe(first['id']);
    expect(second['email']).toBe(email);
  });

  it.each([
    ['no address', {}],
    ['an unverified one', { email_verified: false }],
    ['one verified by another text', { email_verified: 'yes' }],
    ['one unverified by a text', { email_verified: 'false' }],
    ['one without email_verified', { email_verified: undefined }],
    ['an invalid one', { email: 'not an address', email_verified: true }],
  ])(
    'creates an account without an address for %s, even if the address has an account',
    async (what, claims) => {
      const owner = await app.register(address('authority.example'));
      const email = what === 'no address' ? {} : { email: owner.email };
      const me = await meOf((await signIn({ ...email, ...claims }))['access_token']);
      expect(me).toMatchObject({ email: null, emailVerified: false });
      expect((await meOf((await app.login(owner)).accessToken))['id']).not.toBe(me['id']);
    },
  );

  it('links to the account of the address where the provider is the authority for it, and tells the owner', async () => {
    const owner = await Person.signUp(app, address('authority.example'));
    const fragment = await signIn({ email: owner.email.toUpperCase(), email_verified: true });
    expect((await meOf(fragment['access_token']))['id']).toBe(owner.id);
    expect((await app.mails(owner.email, 2)).at(-1)).toContain('New sign-in method');
    await app.login(owner);
  });

  it('refuses if the provider is not the authority; after linking, the person can sign in', async () => {
    const owner = await Person.signUp(app, address('other.example'));
    const sub = `subject-of-${owner.id}`;
    const refused = await signIn({ sub, email: owner.email, email_verified: true });
    expect(refused).toMatchObject({ error: 'account_exists' });
    expect(refused['error_description']).toContain('then link this provider');
    expect(await link(owner, { sub })).toHaveProperty('link_code');
    const fragment = await signIn({ sub, email: owner.email, email_verified: true });
    expect((await meOf(fragment['access_token']))['id']).toBe(owner.id);
  });

  it.each(['authority.example', 'other.example'])(
    'creates an account for an address of %s with a pending registration, and deletes the registration',
    async (domain) => {
      const email = address(domain);
      const password = 'chosen-by-a-stranger-1';
      await app.post('register', { email, password, firstName: 'Eve' });
      const mailed = await app.mailedToken(email);
      const me = await meOf(
        (await signIn({ email, email_verified: true, given_name: 'Ada' }))['access_token'],
      );
      expect(me).toMatchObject({ email, emailVerified: true, firstName: 'Ada' });
      expect((await app.post('verify-email', { token: mailed })).status).toBe(400);
      expect((await app.post('login', { email, password })).status).toBe(401);
    },
  );

  it('creates an account with the proven address', async () => {
    const email = address('other.example');
    expect(await meOf((await signIn({ email, email_verified: true }))['access_token'])).toMatchObject({
      email,
    });
  });

  it('creates a new account after an erasure', async () => {
    const person = { sub: 'erased-subject', email: address('authority.example'), email_verified: true };
    const first = (await signIn(person))['access_token'] ?? '';
    const { id } = await meOf(first);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: first });
    expect(await app.sql('SELECT 1 FROM external_identities WHERE account_id = $1', [id])).toEqual([]);
    const again = await meOf((await signIn(person))['access_token']);
    expect(again['email']).toBe(person.email);
    expect(again['id']).not.toBe(id);
  });

  it('of an account that is being erased at that moment signs in, to the old account or to a new one', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = { sub: `leaving-${round}`, email: address('authority.example'), email_verified: true };
      const token = (await signIn(person))['access_token'] ?? '';
      lab.person = person;
      const starts = await Promise.all(Array.from({ length: 4 }, () => visitor.start()));
      const callbacks = starts.map(({ body }) => lab.visit(String(body['authorizationUrl'])));
      const [erased, ...landings] = await Promise.all([
        app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token }),
        ...callbacks.map((callback) => visitor.open(callback)),
      ]);
      expect(erased.status).toBe(204);
      for (const { status, fragment } of landings)
        expect({ status, error: fragment['error'] }).toEqual({ status: 303, error: undefined });
    }
  });

  it('of one identity from twenty browsers at once makes one account', async () => {
    lab.person = { sub: 'a-crowd', email: address('authority.example'), email_verified: true };
    const starts = await Promise.all(Array.from({ length: 20 }, () => visitor.start()));
    const landings = await Promise.all(
      starts.map(({ body }) => visitor.open(lab.visit(String(body['authorizationUrl'])))),
    );
    expect(await app.sql("SELECT 1 FROM external_identities WHERE subject = 'a-crowd'")).toHaveLength(1);
    const people = new Set<unknown>();
    for (const { fragment } of landings) people.add((await meOf(fragment['access_token']))['id']);
    expect(people.size).toBe(1);
  });

  it('of an address creates one account in a race with the verification of its registration', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = address('authority.example');
      await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
      const token = await app.mailedToken(email);
      lab.person = { sub: `subject-${(counter += 1)}`, email, email_verified: true };
      const { body } = await visitor.start();
      const [verified, { fragment }] = await Promise.all([
        app.post('verify-email', { token }),
        visitor.open(lab.visit(String(body['authorizationUrl']))),
      ]);
      expect([204, 400]).toContain(verified.status);
      expect((await meOf(fragment['access_token']))['email']).toBe(email);
    }
  });

  it('is listed, and removed unless it is the only sign-in method', async () => {
    const owner = await Person.signUp(app);
    await link(owner, { sub: `first-of-${owner.id}` });
    await link(owner, { sub: `second-of-${owner.id}` });
    const identities = itemsOf<{ id: string }>(await app.get(IDENTITIES, owner.token));
    expect(identities).toMatchObject([{ kind: 'oidc', issuer: lab.issuer }, { kind: 'oidc' }]);
    const unlink = (id: string | undefined, token: string | undefined) =>
      app.call('DELETE', `${IDENTITIES}/${id}`, undefined, token === undefined ? {} : { token });
    for (const { id } of identities) expect((await unlink(id, owner.token)).status).toBe(204);
    const newcomer = (await signIn({}))['access_token'];
    const [only] = itemsOf<{ id: string }>(await app.get(IDENTITIES, newcomer));
    expect(await unlink(only?.id, newcomer)).toMatchObject({
      status: 403,
      body: {
        code: 'state_forbids',
        detail: 'This is your only sign-in method. Set a password or link another identity first.',
      },
    });
    expect((await unlink(only?.id, owner.token)).status).toBe(404);
  });

  it.each([
    ['another kind', 'facebook_oauth', 'of-a-kind-that-has-gone'],
    ['another issuer', 'oidc', 'https://was-here-before.example.com'],
  ])('is the only sign-in method if the other identity is of %s than configured', async (_, kind, issuer) => {
    const newcomer = (await signIn({}))['access_token'];
    const { id } = await meOf(newcomer);
    const dead = ulid();
    await app.sql(
      'INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, $3, $5, $4, $1)',
      [dead, id, kind, issuer, `env:${kind}`],
    );
    const identities = itemsOf<{ id: string }>(await app.get(IDENTITIES, newcomer));
    const unlink = async (which?: string) =>
      (await app.call('DELETE', `${IDENTITIES}/${which}`, undefined, { token: newcomer })).status;
    expect(await unlink(identities.find((one) => one.id !== dead)?.id)).toBe(403);
    expect(await unlink(dead)).toBe(204);
  });

  it('is not the only sign-in method if the issuer of the other identity has a trailing slash', async () => {
    const newcomer = (await signIn({}))['access_token'];
    const { id } = await meOf(newcomer);
    const [only] = itemsOf<{ id: string }>(await app.get(IDENTITIES, newcomer));
    await app.sql(
      "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'oidc', 'env:oidc', $3, $1)",
      [ulid(), id, `${lab.issuer}/`],
    );
    const { status } = await app.call('DELETE', `${IDENTITIES}/${only?.id}`, undefined, { token: newcomer });
    expect(status).toBe(204);
  });

  it.each([
    'a new password',
    'a reset of the password',
    'a logout from all devices',
    'a logout from all other devices',
    'the end of the identity',
  ])('has given no code that outlives %s', async (what) => {
    const owner = await Person.signUp(app);
    const sub = `subject-of-${owner.id}`;
    await link(owner, { sub });
    const { codeVerifier, codeChallenge } = pkce();
    const { body } = await visitor.start({ codeChallenge });
    const { fragment } = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    const { password: currentPassword, token } = owner;
    const newPassword = 'louder-harbour-43';
    if (what === 'a new password')
      await app.call('PUT', `${ME}/password`, { currentPassword, newPassword }, { token });
    else if (what === 'a logout from all devices') await app.post('logout-all', undefined, { token });
    else if (what === 'a logout from all other devices')
      await app.post('logout-others', undefined, { token });
    else if (what === 'a reset of the password') {
      await app.post('request-password-reset', { email: owner.email });
      // Notices about the link may come before or after it.
      const resets = async () =>
        (await app.mails(owner.email, 0)).filter((mail) => mail.includes('Subject: Reset your password'));
      await eventually('the mail about the reset', async () => (await resets()).length === 1);
      await app.post('reset-password', { token: tokenIn((await resets()).join()), newPassword });
    } else {
      const [identity] = itemsOf<{ id: string }>(await app.get(IDENTITIES, token));
      await app.call('DELETE', `${IDENTITIES}/${identity?.id}`, undefined, { token });
    }
    const { code } = fragment;
    expect(code).toBeDefined();
    expect((await app.post('external/token', { code, codeVerifier })).status).toBe(400);
  });

  it('is refused if the session ends during the link, as by a reset that is not committed yet', async () => {
    const owner = await Person.signUp(app);
    lab.person = { sub: `late-for-${owner.id}` };
    const { body } = await app.call('POST', `${IDENTITIES}/oidc/link`, {}, { token: owner.token });
    const reset = new Client({ connectionString: app.databaseUrl });
    await reset.connect();
    await reset.query('BEGIN');
    await reset.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [owner.id]);
    await reset.query('UPDATE sessions SET ended_at = now() WHERE account_id = $1', [owner.id]);
    const landing = visitor.open(lab.visit(String(body['authorizationUrl'])));
    await eventually('the callback waits', async () => (await app.waitingForLocks()) > 0);
    await reset.query('COMMIT');
    await reset.end();
    expect((await landing).fragment).toMatchObject({ error: 'link_refused' });
    expect(await app.sql('SELECT 1 FROM external_identities WHERE account_id = $1', [owner.id])).toEqual([]);
  });

  it('drops the mails of a registration with it, and leaves an invitation that waits for the mail server', async () => {
    const silent = await TestApp.start({
      ...lab.settings,
      EXTERNAL_OIDC_DOMAINS: 'authority.example',
      SMTP_URL: 'smtp://127.0.0.1:9',
    });
    try {
      const comes = async (email: string) => {
        const browser = new ExternalVisitor(silent, 'oidc');
        lab.person = { sub: email, email, email_verified: true };
        const { body } = await browser.start();
        return (
          (await browser.open(lab.visit(String(body['authorizationUrl'])))).fragment['access_token'] ?? ''
        );
      };
      const owner = { token: await comes('owner@authority.example') };
      const { id } = (await silent.call('POST', '/api/v1/iam/tenants', { name: 'Acme' }, owner)).body;
      const selected = await silent.post('select-tenant', { tenantId: id }, owner);
      const email = 'guest@authority.example';
      const invitation = { email, roles: ['member'] };
      await silent.call('POST', `/api/v1/iam/tenants/${String(id)}/invitations`, invitation, {
        token: String(selected.body['accessToken']),
      });
      await silent.post('register', { email, password: 'louder-harbour-43', firstName: 'Guest' });
      const waiting = async () =>
        (await silent.sql('SELECT kind FROM outgoing_mails ORDER BY kind')).map((row) => row['kind']);
      await eventually('both mails wait', async () => (await waiting()).length === 2);
      await comes(email);
      expect(await waiting()).toEqual(['invitation']);
    } finally {
      await silent.stop();
    }
  });

  it('takes no identity from another account', async () => {
    const [one, two] = [await Person.signUp(app), await Person.signUp(app)];
    await link(one, { sub: 'wanted-by-two' });
    expect(await link(two, { sub: 'wanted-by-two' })).toMatchObject({ error: 'identity_taken' });
    expect(await link(one, { sub: 'wanted-by-two' })).toHaveProperty('link_code');
    expect(itemsOf(await app.get(IDENTITIES, two.token))).toEqual([]);
  });

  it('asks for a recent sign-in, of a session that goes on', async () => {
    const owner = await Person.signUp(app);
    const begin = () => app.call('POST', `${IDENTITIES}/oidc/link`, {}, { token: owner.token });
    const { body } = await begin();
    const { accessToken } = await signedInAgo(app, owner);
    expect(await app.call('POST', `${IDENTITIES}/oidc/link`, {}, { token: accessToken })).toMatchObject({
      status: 401,
      body: { type: '/errors/insufficient-user-authentication' },
    });
    await app.post('logout', undefined, { token: owner.token });
    lab.person = { sub: 'of-an-ended-session' };
    const { fragment } = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    expect(fragment).toMatchObject({ error: 'link_refused' });
    expect(await app.sql("SELECT 1 FROM external_identities WHERE subject = 'of-an-ended-session'")).toEqual(
      [],
    );
  });
});
