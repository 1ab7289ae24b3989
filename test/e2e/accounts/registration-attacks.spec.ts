import { ExternalVisitor, withOidc } from '../../support/external.js';
import { eventually, tokenIn, type Answer } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const ATTACKER = '203.0.113.66';
const OWNER = '198.51.100.7';
const ATTACKERS_PASSWORD = 'chosen-by-a-stranger-1';
const OWNERS_PASSWORD = 'chosen-by-the-owner-2';

/** An attacker registers the address of another person: before, while or without its owner does. */
describe('A registration by an attacker', () => {
  const { lab: oidc, app } = withOidc({
    EXTERNAL_OIDC_DOMAINS: 'authority.example',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  let counter = 0;
  let email: string;
  beforeEach(() => {
    email = `owner-${(counter += 1)}@authority.example`;
  });

  const from = (ip: string, path: string, body: object): Promise<Answer> =>
    app.post(path, body, { headers: { 'x-forwarded-for': ip } });
  const attackerRegisters = (password = ATTACKERS_PASSWORD, ip = ATTACKER) =>
    from(ip, 'register', { email, password, firstName: 'Eve' });
  const ownerRegisters = (ip = OWNER) =>
    from(ip, 'register', { email, password: OWNERS_PASSWORD, firstName: 'Ada' });
  /** Waits until all jobs are done: every mail is in the mailbox then. */
  const delivered = (limitMs?: number) =>
    eventually(
      'no job is left',
      async () => (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0,
      limitMs,
    );
  const mailsOf = async (name: string) => {
    await delivered();
    return (await app.mails(email, 0)).filter((mail) => plain(mail).includes(`\u201c${name}\u201d`));
  };
  const newestOf = async (name: string) => tokenIn((await mailsOf(name)).at(-1) ?? '');
  const verify = async (token: string, password?: string) =>
    from(OWNER, 'verify-email', { token, ...(password !== undefined && { password }) });
  const statusOfLogin = async (password: string) => (await from(OWNER, 'login', { email, password })).status;
  const expectOwners = async () => {
    expect(await statusOfLogin(ATTACKERS_PASSWORD)).toBe(401);
    const { accessToken } = await app.login({ email, password: OWNERS_PASSWORD });
    return (await app.get(ME, accessToken)).body;
  };

  it.each([
    ['ten times', 10, ATTACKER],
    ['a hundred times', 100, ATTACKER],
  ])('does not withhold the mails of the owner: %s before', async (_, times, ip) => {
    for (let n = 0; n < times; n += 1) await attackerRegisters(ATTACKERS_PASSWORD, ip);
    await delivered();
    await ownerRegisters();
    expect(await mailsOf('Ada')).toHaveLength(1);
    await from(OWNER, 'resend-verification', { email });
    expect((await mailsOf('Ada')).length).toBe(2);
    expect((await verify(await newestOf('Ada'), OWNERS_PASSWORD)).status).toBe(204);
    expect(await expectOwners()).toMatchObject({ email, firstName: 'Ada' });
  });

  it('from many networks is limited in mails', async () => {
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        Array.from({ length: 31 }, (_, n) => attackerRegisters(ATTACKERS_PASSWORD, `203.0.113.${n}`)),
      );
    await delivered(90_000); // three hundred mails take long on a busy machine
    expect(await app.mails(email)).toHaveLength(300);
    await ownerRegisters();
    expect(await mailsOf('Ada')).toEqual([]);
    expect((await verify(await newestOf('Eve'), OWNERS_PASSWORD)).status).toBe(204);
    expect(await expectOwners()).toMatchObject({ email, firstName: 'Ada' });
  }, 120_000);

  it('has the mails of one network for all networks of an IPv6 /48, which one caller can have', async () => {
    for (let n = 0; n < 32; n += 1) await attackerRegisters(ATTACKERS_PASSWORD, `2001:db8:6:${n}::1`);
    expect(await mailsOf('Eve')).toHaveLength(12);
    await ownerRegisters('2001:db8:7::1');
    expect(await mailsOf('Ada')).toHaveLength(1);
  });

  it('withholds no other mail of the owner, nor do its requests', async () => {
    await ownerRegisters();
    expect((await verify(await newestOf('Ada'))).status).toBe(204);
    const countOf = async (subject: string) => {
      await delivered();
      return (await app.mails(email)).filter((mail) => mail.includes(`Subject: ${subject}`)).length;
    };
    const resets = (ip: string) => from(ip, 'request-password-reset', { email });
    for (let n = 0; n < 12; n += 1) await resets(ATTACKER);
    expect(await countOf('Reset your password')).toBe(10);
    await resets(OWNER);
    expect(await countOf('Reset your password')).toBe(11);
    for (let n = 0; n < 2; n += 1) await attackerRegisters();
    expect(await countOf('You already have an account')).toBe(1);
    await ownerRegisters();
    expect(await countOf('You already have an account')).toBe(2);
  });

  it('from the network of the owner, past the budget of mails, leaves links that work for the owner', async () => {
    for (let n = 0; n < 100; n += 1) await attackerRegisters(ATTACKERS_PASSWORD, OWNER);
    await delivered();
    await ownerRegisters();
    expect(await mailsOf('Ada')).toEqual([]);
    expect((await verify(await newestOf('Eve'), OWNERS_PASSWORD)).status).toBe(204);
    expect(await expectOwners()).toMatchObject({ email, firstName: 'Ada' });
  });

  it('before that of the owner creates no account with the password of the attacker, whichever link the owner opens without a password', async () => {
    const names = { firstName: 'Eve', company: 'Evil Ltd', country: 'XX', marketingOptIn: true };
    await from(ATTACKER, 'register', { email, password: ATTACKERS_PASSWORD, ...names });
    await ownerRegisters();
    expect((await verify(await newestOf('Eve'))).status).toBe(204);
    expect(await statusOfLogin(ATTACKERS_PASSWORD)).toBe(401);
    expect(await statusOfLogin(OWNERS_PASSWORD)).toBe(401);
    await delivered();
    const mail = (await app.mails(email)).at(-1) ?? '';
    expect(mail).toContain('Subject: Choose a password');
    const chosen = { token: tokenIn(mail), newPassword: OWNERS_PASSWORD };
    expect((await from(OWNER, 'reset-password', chosen)).status).toBe(204);
    const none = { firstName: null, company: null, country: null, marketingOptIn: false };
    expect(await expectOwners()).toMatchObject({ email, ...none });
  });

  it('a second later does not replace the links in the mail and the resent mails', async () => {
    await ownerRegisters();
    await delivered();
    await attackerRegisters();
    await delivered();
    await from(OWNER, 'resend-verification', { email });
    const [, again] = await mailsOf('Ada');
    expect(await mailsOf('Eve')).toHaveLength(2);
    expect(again).toBeDefined();
    expect((await verify(tokenIn(again ?? ''), OWNERS_PASSWORD)).status).toBe(204);
    expect(await expectOwners()).toMatchObject({ email, firstName: 'Ada' });
  });

  it('repeated after that of the owner does not crowd it out of a resend', async () => {
    await ownerRegisters();
    for (let n = 0; n < 20; n += 1) await attackerRegisters(`${ATTACKERS_PASSWORD}-${n}`);
    await delivered();
    const before = (await app.mails(email)).length;
    await from(OWNER, 'resend-verification', { email });
    expect(await mailsOf('Ada')).toHaveLength(2);
    expect((await app.mails(email)).length - before).toBe(5);
  });

  it('creates the account of the owner by any link with the password of the owner', async () => {
    await attackerRegisters();
    await ownerRegisters();
    const theirs = await newestOf('Eve');
    const wrong = await verify(theirs, 'a-guess-of-mine-3');
    expect(wrong).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'password' }] } });
    expect((await verify(theirs, OWNERS_PASSWORD)).status).toBe(204); // the wrong password has not consumed it
    expect(await expectOwners()).toMatchObject({ email, firstName: 'Ada' });
  });

  it('creates no account with another password, and is removed when the owner refuses it', async () => {
    await attackerRegisters();
    await attackerRegisters(); // a further link for the same
    const token = await newestOf('Eve');
    expect(await verify(token, 'a-password-of-mine-3')).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'password' }] },
    });
    expect((await from(OWNER, 'refuse-registration', { token })).status).toBe(204);
    for (const mail of await mailsOf('Eve')) {
      expect(await verify(tokenIn(mail), ATTACKERS_PASSWORD)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'token' }] },
      });
      expect((await verify(tokenIn(mail))).status).toBe(400);
    }
    expect((await from(OWNER, 'refuse-registration', { token })).status).toBe(400);
    expect(await statusOfLogin(ATTACKERS_PASSWORD)).toBe(401);
    expect(await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).toEqual([]);
  });

  it('leaves the registration of the owner when it is refused', async () => {
    await ownerRegisters();
    await attackerRegisters();
    const token = await newestOf('Eve');
    expect((await from(OWNER, 'refuse-registration', { token })).status).toBe(204);
    expect((await verify(await newestOf('Ada'))).status).toBe(204);
    expect(await expectOwners()).toMatchObject({ email, firstName: 'Ada' });
  });

  it('creates an account when the owner opens its link without a password; a reset then locks the attacker out', async () => {
    await attackerRegisters();
    expect((await verify(await newestOf('Eve'))).status).toBe(204);
    const theirs = await app.login({ email, password: ATTACKERS_PASSWORD });
    const browser = new ExternalVisitor(app, 'oidc');
    oidc.person = { sub: `eve-${counter}`, email: 'eve@authority.example', email_verified: true };
    const linked = await browser.link(theirs.accessToken);
    const landing = await browser.open(oidc.visit(String(linked.body['authorizationUrl'])));
    expect((await browser.redeem(theirs.accessToken, landing)).status).toBe(201);
    await from(OWNER, 'request-password-reset', { email });
    await delivered();
    const token = await app.mailedToken(email);
    expect((await from(OWNER, 'reset-password', { token, newPassword: OWNERS_PASSWORD })).status).toBe(204);
    await delivered();
    const [removed] = (await app.mails(email)).map(plain).filter((mail) => mail.includes('were unlinked'));
    expect(removed).toContain('your organization');
    expect(removed).toContain('link');
    expect((await app.get(ME, theirs.accessToken)).status).toBe(401);
    expect((await app.post('refresh', { refreshToken: theirs.refreshToken })).status).toBe(401);
    const again = new ExternalVisitor(app, 'oidc');
    const started = await again.start();
    const { fragment } = await again.open(oidc.visit(String(started.body['authorizationUrl'])));
    const other = (await app.get(ME, fragment['access_token'])).body;
    const owners = await expectOwners();
    expect(other['id']).not.toBe(owners['id']);
    const trail = await app.sql<{ action: string }>(
      'SELECT action FROM audit_events WHERE account_id = $1 ORDER BY id',
      [owners['id']],
    );
    expect(trail.map(({ action }) => action)).toContain('account.identity-unlinked');
  });

  it('does not make a reset unlink the identity at the authority for the address', async () => {
    await ownerRegisters();
    expect((await verify(await newestOf('Ada'))).status).toBe(204);
    const signIn = async (sub: string, address: string) => {
      const browser = new ExternalVisitor(app, 'oidc');
      oidc.person = { sub, email: address, email_verified: true };
      const { body } = await browser.start();
      return (await browser.open(oidc.visit(String(body['authorizationUrl'])))).fragment;
    };
    const subjects = async () =>
      (
        await app.sql<{ subject: string }>(
          'SELECT subject FROM external_identities JOIN accounts a ON a.id = account_id WHERE a.email_key = $1',
          [email],
        )
      ).map(({ subject }) => subject);
    const reset = async () => {
      await delivered();
      await from(OWNER, 'request-password-reset', { email });
      await delivered();
      const token = await app.mailedToken(email);
      const chosen = { token, newPassword: OWNERS_PASSWORD };
      expect((await from(OWNER, 'reset-password', chosen)).status).toBe(204);
    };
    await signIn(`ada-${counter}`, email);
    await reset();
    expect(await subjects()).toEqual([`ada-${counter}`]);
    await signIn(`ada-${counter}`, `renamed-${email}`); // the identity has another address now
    await reset();
    expect(await subjects()).toEqual([]);
  });

  it('gets a limited number of passwords per link', async () => {
    await ownerRegisters();
    const token = await newestOf('Ada');
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => verify(token, `a-guess-of-mine-${n}`)),
    );
    const atPassword = guesses.filter(({ body }) => JSON.stringify(body).includes('"password"'));
    expect(atPassword).toHaveLength(10);
    expect(await verify(token, OWNERS_PASSWORD)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'token' }] },
    });
    await from(OWNER, 'resend-verification', { email });
    expect(await mailsOf('Ada')).toHaveLength(2);
    expect((await verify(await newestOf('Ada'), OWNERS_PASSWORD)).status).toBe(204);
  });

  it.each([
    ['Click http://evil.example/login now', 'Click http evil example login now'],
    ['www.evil.example', 'www evil example'],
    ['<a href="https://evil.example">Ada</a>', 'a href https evil example Ada a'],
    ['call 0900 123456', 'call'],
    ['eve\u202egnp.exe', 'eve gnp exe'],
    ['Ren\u00e9e O\u2019Neil-Ma\u00dfmann', 'Ren\u00e9e O\u2019Neil-Ma\u00dfmann'],
  ])('shows the name %j without a link', async (firstName, shown) => {
    await from(ATTACKER, 'register', { email, password: ATTACKERS_PASSWORD, firstName });
    const [mail = ''] = await mailsOf(shown);
    const [text = '', html = ''] = plain(mail).split('<!doctype html>');
    for (const part of [text, html]) {
      expect(part).toContain(`\u201c${shown}\u201d`);
      expect(part.replaceAll('http://gatehouse.test', '')).not.toMatch(/evil\.|https?:\/\/|0900|\u202e/);
    }
    expect(text).toMatch(/\b20\d\d-\d\d-\d\d \d\d:\d\d UTC\b/);
    expect(text).toContain(`/refuse-registration?token=${tokenIn(mail)}`);
    expect(html).toContain(`/refuse-registration?token=${tokenIn(mail)}`);
  });

  it('stores networks as keyed hashes that differ per address', async () => {
    await attackerRegisters();
    const first = email;
    email = `owner-${(counter += 1)}@authority.example`;
    await attackerRegisters();
    const keys = await app.sql<{ key: string }>(
      `SELECT encode(network_key, 'hex') AS key FROM pending_registrations WHERE email_key = ANY($1)`,
      [[first, email]],
    );
    expect(new Set(keys.map(({ key }) => key)).size).toBe(2);
    for (const { key } of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

/** Decodes quoted-printable (RFC 2045 section 6.7). */
function plain(mail: string): string {
  const bytes = mail
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
