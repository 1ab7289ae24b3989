import { randomBytes } from 'node:crypto';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { age } from '../../support/ageing.js';
import { dump, found } from '../../support/canaries.js';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { MailServer } from '../../support/mail-server.js';
import { Person } from '../../support/organization.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createDatabase, eventually, itemsOf, TestApp, tokenIn } from '../../support/test-app.js';

const IDENTITIES = '/api/v1/iam/me/identities';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const HOSTILE = 'Firefox/9 <a href="https://evil.example/">Your account will be closed, sign in here</a>';
const NEW_SIGN_IN = 'Subject: New sign-in to your account';
const DAY = 86_400;
const ERASED = 'Subject: Your account was erased';

describe('The owner of an account is told by mail', () => {
  const { lab, app } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'authority.example', TRUSTED_PROXIES: '127.0.0.1' });

  const from = (ipAddress: string, userAgent = FIREFOX) => ({
    headers: { 'x-forwarded-for': ipAddress, 'user-agent': userAgent },
  });
  const login = (
    { email, password }: { email: string; password: string },
    ipAddress: string,
    agent?: string,
  ) => app.post('login', { email, password }, from(ipAddress, agent));
  /** Returns the mails after every due job has run. */
  const mailsOf = async (email: string, subject: string, service = app): Promise<string[]> => {
    const due = 'SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now()';
    await eventually('no job is left', async () => (await service.sql(due)).length === 0);
    const mails = (await service.mails(email, 0)).map((mail) => mail.replace(/=\n/g, ''));
    return mails.filter((mail) => mail.includes(subject));
  };
  const erase = (token: string) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });

  describe('of a sign-in from a new network', () => {
    it('but not of the first sign-in, nor of one from a known network', async () => {
      const account = await app.register();
      await login(account, '203.0.113.1');
      await login(account, '203.0.113.1');
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toEqual([]);
      await login(account, '198.51.100.2');
      await login(account, '203.0.113.1');
      await login(account, '198.51.100.2');
      const [mail, ...others] = await mailsOf(account.email, NEW_SIGN_IN);
      expect(others).toEqual([]);
      expect(mail).toContain('IP address: 198.51.100.2');
      expect(mail).toContain('Browser: Firefox, Linux');
      expect(mail).toMatch(/Time: \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      expect(mail).toContain('reset your password at once');
      expect(mail).not.toContain('token=');
    });

    it('by the /64 of an IPv6 address', async () => {
      const account = await app.register();
      await login(account, '2001:db8:1:1::1');
      await login(account, '2001:db8:1:1:ffff::2');
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toEqual([]);
      await login(account, '2001:db8:1:2::1');
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toHaveLength(1);
    });

    it('without text from the user agent', async () => {
      const account = await app.register();
      await login(account, '203.0.113.1');
      await login(account, '203.0.113.2', HOSTILE);
      await login(account, '203.0.113.3', 'x'.repeat(300));
      const mails = await mailsOf(account.email, NEW_SIGN_IN);
      expect(mails).toHaveLength(2);
      expect(mails.join('')).not.toMatch(/evil|closed|x{20}/); // ids may hold three
      // Two mails of one moment are sent in any order.
      const from = (ipAddress: string) => mails.find((mail) => mail.includes(`IP address: ${ipAddress}`));
      expect(from('203.0.113.2')).toMatch(/Browser: Firefox\n/);
      expect(from('203.0.113.3')).not.toContain('Browser');
    });

    it('three times a day at most', async () => {
      const account = await app.register();
      for (let n = 1; n <= 6; n += 1) await login(account, `203.0.113.${n}`);
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toHaveLength(3);
    });

    it('again after ninety days, which is not a first sign-in', async () => {
      const account = await app.register();
      await login(account, '203.0.113.1');
      await age(app, 'known_networks', 89 * DAY);
      await app.app.get(CleanupService, { strict: false }).run();
      await login(account, '203.0.113.1');
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toEqual([]);
      await age(app, 'known_networks', 91 * DAY);
      await app.app.get(CleanupService, { strict: false }).run();
      await login(account, '203.0.113.1');
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toHaveLength(1);
    });

    it('and not of a wrong password', async () => {
      const account = await app.register();
      await login(account, '203.0.113.1');
      await login({ ...account, password: 'a-wrong-harbour-9' }, '203.0.113.2');
      expect(await mailsOf(account.email, NEW_SIGN_IN)).toEqual([]);
      const known = await app.sql(
        'SELECT 1 FROM known_networks n JOIN accounts a ON a.id = n.account_id WHERE email = $1',
        [account.email],
      );
      expect(known).toHaveLength(2); // the network, and the mark of an earlier sign-in
    });

    it('by an external provider', async () => {
      const email = `visitor-${randomBytes(4).toString('hex')}@authority.example`;
      const signIn = async (ipAddress: string) => {
        lab.person = { sub: email, email, email_verified: true };
        const visitor = new ExternalVisitor(app, 'oidc', { address: ipAddress });
        const { body } = await visitor.start();
        await visitor.open(lab.visit(String(body['authorizationUrl'])));
      };
      await signIn('203.0.113.1');
      expect(await mailsOf(email, NEW_SIGN_IN)).toEqual([]);
      await signIn('203.0.113.2');
      expect(await mailsOf(email, NEW_SIGN_IN)).toHaveLength(1);
    });

    it('with networks recognized under an earlier root secret', async () => {
      const [before, after] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
      const shared = {
        DATABASE_URL: await createDatabase(),
        DATA_DIR: temporaryFolder('networks'),
      };
      const old = await TestApp.start({ ...shared, ROOT_SECRET: before });
      const account = await old.register();
      await old.login(account);
      await old.app.close();
      const next = await TestApp.start({ ...shared, ROOT_SECRET: after, ROOT_SECRET_PREVIOUS: before });
      await next.login(account);
      expect(await mailsOf(account.email, NEW_SIGN_IN, next)).toEqual([]);
      await next.stop();
    });

    it('until the account is erased', async () => {
      const person = await Person.signUp(app);
      await erase(person.token);
      expect(await app.sql('SELECT 1 FROM known_networks WHERE account_id = $1', [person.id])).toEqual([]);
    });
  });

  it('of linked and unlinked identities', async () => {
    const person = await Person.signUp(app);
    const visitor = new ExternalVisitor(app, 'oidc');
    lab.person = { sub: `of-${person.id}` };
    const { body } = await visitor.link(person.token);
    await visitor.redeem(person.token, await visitor.open(lab.visit(String(body['authorizationUrl']))));
    expect(await mailsOf(person.email, 'Subject: New sign-in method')).toHaveLength(1);
    const [identity] = itemsOf<{ id: string }>(await app.get(IDENTITIES, person.token));
    await app.call('DELETE', `${IDENTITIES}/${identity?.id}`, undefined, { token: person.token });
    const [mail, ...others] = await mailsOf(person.email, 'Subject: Sign-in method removed');
    expect(others).toEqual([]);
    expect(mail).toContain('can no longer sign in to your account with');
    expect(mail).not.toContain(lab.issuer);
  });

  describe('of the erasure', () => {
    it('once, at the address as it was typed; a new account of that address keeps its mails', async () => {
      const { email, token } = await Person.signUp(
        app,
        `Typed-${randomBytes(4).toString('hex')}@example.com`,
      );
      expect((await erase(token)).status).toBe(204);
      expect(await mailsOf(email, ERASED)).toHaveLength(1);
      expect((await erase(token)).status).toBe(401);
      const again = await Person.signUp(app, email);
      await login(again, '203.0.113.9');
      expect(await mailsOf(email, NEW_SIGN_IN)).toHaveLength(1);
      await app.passHourAfterErasure();
      expect(await mailsOf(email, ERASED)).toEqual([]);
      expect(await mailsOf(email, NEW_SIGN_IN)).toHaveLength(1);
    });

    it.each(['take', 'refuse'] as const)(
      'which leaves nothing behind for longer than an hour, also where the mail server says "%s"',
      async (verdict) => {
        const server = await MailServer.start();
        const service = await TestApp.start({ SMTP_URL: server.url });
        const email = 'last-mail-4711@example.com';
        const password = 'quiet-harbour-42';
        await service.post('register', { email, password, firstName: 'Ada' });
        await eventually('the link is mailed', () => server.to(email).length === 1);
        const token = tokenIn(server.to(email)[0]?.parts['text/plain'] ?? '');
        await service.post('verify-email', { token });
        const { accessToken } = await service.login({ email, password });
        server.defaultVerdict = verdict;
        await service.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
        const sealed = async () =>
          (await service.sql('SELECT 1 FROM outgoing_mails WHERE sealed IS NOT NULL')).length;
        if (verdict === 'take') {
          await eventually('the last mail is sent, and not kept', async () => (await sealed()) === 0);
          const subjects = server.to(email).map(({ headers }) => new Map(headers).get('subject'));
          expect(subjects).toEqual(['Verify your email address', 'Your account was erased']);
        } else expect(await sealed()).toBe(1);
        await service.passHourAfterErasure();
        expect(await service.sql("SELECT 1 FROM outgoing_mails WHERE kind <> 'decoy'")).toEqual([]);
        expect(found({ email }, await dump(service))).toEqual([]);
        await service.stop();
        await server.close();
      },
    );
  });
});
