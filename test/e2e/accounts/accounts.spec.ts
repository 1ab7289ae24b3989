import { tokenIn, TestApp, withApp } from '../../support/test-app.js';

describe('Accounts', () => {
  const app = withApp();

  it('registers, verifies and signs in', async () => {
    const person = { email: 'Ada@Example.com', password: 'quiet-harbour-42' };
    const registered = await app.post('register', {
      ...person,
      firstName: 'Ada',
      company: 'Lovelace Logistics',
      country: 'GB',
    });
    expect([registered.status, registered.body]).toEqual([202, { status: 'verification_required' }]);
    expect((await app.post('login', person)).body).toMatchObject({
      type: '/errors/email-not-verified',
      status: 403,
    });
    expect((await app.post('verify-email', { token: await app.mailedToken(person.email) })).status).toBe(204);
    const { accessToken } = await app.login({ ...person, email: 'ada@EXAMPLE.com' });
    expect((await app.get('/api/v1/iam/me', accessToken)).body).toMatchObject({
      email: 'Ada@Example.com',
      firstName: 'Ada',
      company: 'Lovelace Logistics',
      kind: 'person',
      service: null,
      marketingOptIn: false,
    });
  });

  it('returns the same for an address with an account and mails its owner', async () => {
    const { email } = await app.register();
    const fresh = await app.post('register', {
      email: 'unknown@example.com',
      password: 'another-harbour',
      firstName: 'Eve',
    });
    const taken = await app.post('register', { email, password: 'another-harbour', firstName: 'Eve' });
    expect([taken.status, taken.body]).toEqual([fresh.status, fresh.body]);
    expect([...taken.headers.keys()]).toEqual([...fresh.headers.keys()]);
    expect((await app.mails(email, 2)).at(-1)).toContain('You already have an account');
    expect((await app.post('login', { email, password: 'another-harbour' })).status).toBe(403);
  });

  it('does not reveal by a login whether a registered address has an account', async () => {
    const { email, password } = await app.register();
    const guess = { password: 'a-guess-of-mine', firstName: 'Eve' };
    const login = async (address: string) => {
      const { status, body } = await app.post('login', { email: address, password: guess.password });
      return [status, body['type']];
    };
    const unverified = [403, '/errors/email-not-verified'];
    for (const address of [email, 'unknown-too@example.com']) {
      await app.post('register', { ...guess, email: address });
      expect(await login(address)).toEqual(unverified);
    }
    await app.mails(email, 2); // the job has read that the address has an account
    expect(await login(email)).toEqual(unverified);
    const { accessToken: token } = await app.login({ email, password });
    const change = { currentPassword: password, newPassword: 'a-new-harbour-7' };
    expect((await app.call('PUT', '/api/v1/iam/me/password', change, { token })).status).toBe(204);
    expect(await login(email)).toEqual(unverified);
    await app.mails(email, 3);
    await app.post('request-password-reset', { email });
    const reset = { token: await app.mailedToken(email, 4), newPassword: 'a-newer-harbour-8' };
    expect((await app.post('reset-password', reset)).status).toBe(204);
    expect(await login(email)).toEqual(unverified);
  });

  it('recognizes the password of each pending registration of the address', async () => {
    const email = 'registered-twice@example.com';
    const passwords = ['quiet-harbour-42', 'a-strangers-harbour'];
    for (const password of passwords) await app.post('register', { email, password, firstName: 'Ada' });
    for (const password of passwords)
      expect((await app.post('login', { email, password })).body).toMatchObject({
        type: '/errors/email-not-verified',
      });
    expect((await app.post('login', { email, password: 'of-neither-harbour' })).status).toBe(401);
  });

  it.each([
    ['from another network', 'NULL', 'n::text'],
    ['from the same network, by one password', 'network_key', "'x'"],
  ])(
    'verifies an address that an attacker has registered as often as possible, %s',
    async (_, network, hash) => {
      const email = `flooded-by-${hash.length}@example.com`;
      await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
      const proof = await app.mailedToken(email);
      await app.sql(
        `INSERT INTO pending_registrations (token_hash, email, email_key, password_hash, first_name, marketing_opt_in, network_key, expires_at)
       SELECT sha256((n || $1)::bytea), $1, $1, ${hash}, 'Eve', false, ${network}, now() + interval '1 day'
       FROM pending_registrations, generate_series(1, 4999) n WHERE email_key = $1`,
        [email],
      );
      const again = await app.post('register', { email, password: 'a-strangers-harbour', firstName: 'Eve' });
      expect(again.status).toBe(202);
      expect(
        await app.sql('SELECT count(*)::int AS count FROM pending_registrations WHERE email_key = $1', [
          email,
        ]),
      ).toEqual([{ count: 5_000 }]);
      expect((await app.post('verify-email', { token: proof, password: 'quiet-harbour-42' })).status).toBe(
        204,
      );
      expect(await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [email])).toEqual([]);
    },
  );

  it('removes the other registrations of an address when its owner verifies one', async () => {
    const email = 'owned@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const proof = await app.mailedToken(email);
    await app.post('register', { email, password: 'a-guess-of-mine', firstName: 'Eve' });
    const stranger = await app.mailedToken(email, 2);
    expect((await app.post('verify-email', { token: proof, password: 'quiet-harbour-42' })).status).toBe(204);
    expect((await app.post('login', { email, password: 'a-guess-of-mine' })).status).toBe(401);
    expect((await app.post('verify-email', { token: stranger })).status).toBe(400);
    await app.login({ email, password: 'quiet-harbour-42' });
  });

  it('counts a guessed password that was registered before as a failure', async () => {
    const account = await app.register();
    for (let n = 0; n < 5; n += 1) {
      const guess = { email: account.email, password: `a-guess-of-mine-${n}` };
      await app.post('register', { ...guess, firstName: 'Eve' });
      expect((await app.post('login', guess)).status).toBe(403);
    }
    expect((await app.post('login', account)).status).toBe(401);
  });

  it('accepts a verification token once of fifty concurrent requests', async () => {
    const email = 'race@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const token = await app.mailedToken(email);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await app.post('verify-email', { token })).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(49);
  });

  it('creates one account when all registrations of an address are verified concurrently', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = `all-at-once-${round}@example.com`;
      const register = () => app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
      await Promise.all(Array.from({ length: 5 }, register));
      const mails = await app.mails(email, 5);
      const tokens = mails.map(tokenIn);
      const verify = async (token: string) => (await app.post('verify-email', { token })).status;
      expect((await Promise.all(tokens.map(verify))).sort()).toEqual([204, 400, 400, 400, 400]);
      await app.login({ email, password: 'quiet-harbour-42' }); // registrations with equal passwords are one
    }
  });

  it('creates one account of fifty concurrent registrations of an address', async () => {
    const email = 'crowd@example.com';
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        app.post('register', {
          email: n % 2 ? email : email.toUpperCase(),
          password: 'quiet-harbour-42',
          firstName: 'Ada',
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const mails = await app.mails(email);
    expect(mails.length).toBeLessThanOrEqual(30);
    const token = await app.mailedToken(email);
    expect((await app.post('verify-email', { token })).status).toBe(204);
    expect(await app.sql("SELECT id FROM accounts WHERE email_key = 'crowd@example.com'")).toHaveLength(1);
    for (const mail of mails) {
      expect((await app.post('verify-email', { token: tokenIn(mail) })).status).toBe(400);
    }
  });

  it('resends a verification mail with a valid link', async () => {
    const email = 'again@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const first = await app.mailedToken(email);
    expect((await app.post('resend-verification', { email })).body).toEqual({ status: 'accepted' });
    const second = await app.mailedToken(email, 2);
    expect(second).not.toBe(first);
    expect((await app.post('verify-email', { token: second })).status).toBe(204);
    expect((await app.post('verify-email', { token: first })).status).toBe(400);
  });

  it('resets a password, ends all sessions and tells the owner', async () => {
    const account = await app.register();
    const session = await app.login(account);
    expect((await app.post('request-password-reset', { email: account.email })).status).toBe(202);
    expect((await app.post('request-password-reset', { email: 'unknown@example.com' })).body).toEqual({
      status: 'accepted',
    });
    const token = await app.mailedToken(account.email, 2);
    const attempts = await Promise.all(
      Array.from({ length: 20 }, () => app.post('reset-password', { token, newPassword: 'a-new-harbour-7' })),
    );
    expect(attempts.filter(({ status }) => status === 204)).toHaveLength(1);
    expect((await app.get('/api/v1/iam/me', session.accessToken)).status).toBe(401);
    expect((await app.post('refresh', { refreshToken: session.refreshToken })).status).toBe(401);
    expect((await app.post('login', account)).status).toBe(401);
    expect((await app.post('login', { ...account, password: 'a-new-harbour-7' })).status).toBe(200);
    expect((await app.mails(account.email, 3)).at(-1)).toContain('Your password was changed');
  });

  it('distinguishes long passwords by their last character', async () => {
    for (const stem of ['a'.repeat(72), '😀'.repeat(63)]) {
      const account = await app.register(undefined, `${stem}X`);
      expect((await app.post('login', { ...account, password: `${stem}Y` })).status).toBe(401);
      expect((await app.post('login', account)).status).toBe(200);
    }
  });

  it('accepts every password of 8 to 1,024 characters, and compares it as it was typed', async () => {
    const profile = { email: 'rules@example.com', firstName: 'Ada' };
    for (const password of ['a'.repeat(7), 'a'.repeat(1_025)])
      expect(await app.post('register', { ...profile, password })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'password' }] },
      });
    // Lower case alone, blanks at the ends, and an accent, which is typed as one character or two.
    for (const password of ['a'.repeat(8), 'b'.repeat(1_024), ' quiet harbour ', 'quiet-caf\u00e9']) {
      const account = await app.register(undefined, password);
      const login = async (typed: string) =>
        (await app.post('login', { ...account, password: typed })).status;
      expect(await login(password.toUpperCase())).toBe(401);
      expect(await login(`${password} `)).toBe(password.length === 1_024 ? 400 : 401);
      expect(await login(password)).toBe(200);
      expect(await login(password.normalize('NFD'))).toBe(200);
    }
  });

  it('changes the profile and clears its optional fields', async () => {
    const { accessToken: token } = await app.login(await app.register());
    const changed = await app.call(
      'PATCH',
      '/api/v1/iam/me',
      { firstName: 'Grace', company: 'Hopper', marketingOptIn: true },
      { token },
    );
    expect(changed.body).toMatchObject({ firstName: 'Grace', company: 'Hopper', marketingOptIn: true });
    expect((await app.call('PATCH', '/api/v1/iam/me', { company: null }, { token })).body).toMatchObject({
      firstName: 'Grace',
      company: null,
    });
  });

  it('changes the password and ends all sessions but the current one', async () => {
    const account = await app.register();
    const [here, there] = [await app.login(account), await app.login(account)];
    const change = (currentPassword: string) =>
      app.call(
        'PUT',
        '/api/v1/iam/me/password',
        { currentPassword, newPassword: 'a-new-harbour-7' },
        { token: here.accessToken },
      );
    expect((await change('wrong')).body).toMatchObject({ violations: [{ propertyPath: 'currentPassword' }] });
    expect((await change(account.password)).status).toBe(204);
    expect((await app.get('/api/v1/iam/me', here.accessToken)).status).toBe(200);
    expect((await app.get('/api/v1/iam/me', there.accessToken)).status).toBe(401);
  });

  it('slows guessing down without blocking the owner on other networks', async () => {
    const proxied = await TestApp.start({ TRUSTED_PROXIES: '127.0.0.1' });
    try {
      const account = await proxied.register();
      const from = (ip: string, password: string) =>
        proxied.post('login', { email: account.email, password }, { headers: { 'x-forwarded-for': ip } });
      for (let n = 0; n < 5; n += 1) expect((await from('203.0.113.7', 'wrong')).status).toBe(401);
      expect((await from('203.0.113.7', account.password)).body).toMatchObject({
        type: '/errors/invalid-credentials',
      });
      expect((await from('198.51.100.1', account.password)).status).toBe(200);
    } finally {
      await proxied.stop();
    }
  });

  it("stops guessing from all networks after 100 failures, except from the owner's networks", async () => {
    const proxied = await TestApp.start({ TRUSTED_PROXIES: '127.0.0.1' });
    try {
      const { email, password } = await proxied.register();
      const from = (ip: string, body: object, path = 'login') =>
        proxied.post(path, { email, ...body }, { headers: { 'x-forwarded-for': ip } });
      const [home, away] = ['203.0.113.7', '192.0.2.9'];
      expect((await from(home, { password })).status).toBe(200);
      for (let n = 0; n < 100; n += 1) await from(`198.51.100.${n}`, { password: `guess-number-${n}` });
      expect((await from('198.51.100.200', { password })).status).toBe(401);
      expect((await from(away, { password })).status).toBe(401);
      expect((await from(home, { password })).status).toBe(200);

      for (let n = 0; n < 100; n += 1) await from(`198.51.100.${n}`, { password: `guess-number-${n}` });
      await from(away, {}, 'request-password-reset');
      const reset = { token: await proxied.mailedToken(email, 2), newPassword: 'a-new-harbour-7' };
      expect((await from(away, reset, 'reset-password')).status).toBe(204);
      expect((await from(away, { password: 'a-new-harbour-7' })).status).toBe(200);
      for (let n = 0; n < 100; n += 1) await from(`198.51.101.${n}`, { password: `guess-number-${n}` });
      expect((await from(home, { password: 'a-new-harbour-7' })).status).toBe(200);
    } finally {
      await proxied.stop();
    }
  });
});
