import { Client } from 'pg';
import { signedInAgo } from '../../support/aged.js';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { Person } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { eventually, itemsOf, type Answer } from '../../support/test-app.js';

const IDENTITIES = '/api/v1/iam/me/identities';

/** ADR 15: only the person and the session that began to link can complete it. */
describe('The code of a linked identity', () => {
  const { lab, app } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'authority.example' });
  let counter = 0;
  let sub: string;
  beforeEach(() => {
    sub = `linked-${(counter += 1)}`;
    lab.person = { sub };
  });

  /**
   * Starts as one person and signs in at the provider in another browser, as a victim of a link
   * does.
   */
  const landingOf = async (beginner: Person) => {
    const { body } = await new ExternalVisitor(app, 'oidc').link(beginner.token);
    return new ExternalVisitor(app, 'oidc').open(lab.visit(String(body['authorizationUrl'])));
  };
  const codeOf = async (beginner: Person): Promise<string> =>
    (await landingOf(beginner)).fragment['link_code'] ?? '';
  const redeem = (code: string, token: string): Promise<Answer> =>
    app.call('POST', `${IDENTITIES}/redeem`, { code }, { token });
  const owners = () =>
    app.sql<{ owner: string }>(
      'SELECT account_id AS owner FROM external_identities WHERE subject = $1 ORDER BY 1',
      [sub],
    );
  const expectRefused = async (attempt: Promise<Answer>): Promise<void> => {
    expect(await attempt).toMatchObject({
      status: 400,
      body: { type: '/errors/validation-error', violations: [{ propertyPath: 'code' }] },
    });
    expect(await owners()).toEqual([]);
  };

  it('links nothing by the callback, and once by the bearer that began it', async () => {
    const person = await Person.signUp(app);
    const { status, fragment } = await landingOf(person);
    expect({ status, fragment }).toEqual({
      status: 303,
      fragment: { link_code: expect.stringMatching(/^[\w-]{43}$/), state: expect.any(String) },
    });
    expect(await owners()).toEqual([]);
    const code = fragment['link_code'] ?? '';
    const linked = await redeem(code, person.token);
    expect(linked).toMatchObject({ status: 201, body: { kind: 'oidc', issuer: lab.issuer } });
    expect(itemsOf(await app.get(IDENTITIES, person.token))).toEqual([
      { ...linked.body, organization: null },
    ]);
    expect(await owners()).toEqual([{ owner: person.id }]);
    expect(await redeem(code, person.token)).toMatchObject({ status: 400 });
  });

  it("does not give a victim's identity to an attacker who began the flow", async () => {
    const [attacker, victim] = [await Person.signUp(app), await Person.signUp(app)];
    // The victim follows the attacker's link: the callback, and so the code, is in the victim's
    // browser.
    const code = await codeOf(attacker);
    await expectRefused(redeem(code, victim.token));
    expect((await app.get(IDENTITIES, attacker.token)).body['items']).toEqual([]);
  });

  it("does not add an attacker's identity to a victim who opens the attacker's finished callback", async () => {
    const [attacker, victim] = [await Person.signUp(app), await Person.signUp(app)];
    const code = await codeOf(attacker);
    await expectRefused(redeem(code, victim.token));
    expect((await redeem(code, attacker.token)).status).toBe(201); // was not burnt
    expect(await owners()).toEqual([{ owner: attacker.id }]);
  });

  it('is refused to the same person in another session, and is not burnt by it', async () => {
    const person = await Person.signUp(app);
    const other = await Person.again(person);
    const code = await codeOf(person);
    await expectRefused(redeem(code, other.token));
    expect((await redeem(code, person.token)).status).toBe(201);
  });

  it('is refused after a minute, and when it was never given', async () => {
    const person = await Person.signUp(app);
    const code = await codeOf(person);
    await expectRefused(redeem('x'.repeat(43), person.token));
    await app.sql("UPDATE one_time_codes SET expires_at = expires_at - interval '60 seconds'");
    await expectRefused(redeem(code, person.token));
  });

  it('links once of twenty redemptions at a time', async () => {
    const person = await Person.signUp(app);
    const code = await codeOf(person);
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(code, person.token)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect(await owners()).toHaveLength(1);
    const events = await app.sql(
      "SELECT 1 FROM audit_events WHERE account_id = $1 AND action = 'account.identity-linked'",
      [person.id],
    );
    expect(events).toHaveLength(1);
  });

  it('keeps what was proven sealed', async () => {
    lab.person = { sub, email: 'grace@example.com', email_verified: true };
    await codeOf(await Person.signUp(app));
    const rows = await app.sql('SELECT * FROM one_time_codes');
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${sub}|grace`));
  });

  it('is refused to a satellite in the same session, and is not burnt by it', async () => {
    const person = await Person.signUp(app);
    const satellite = await (await TestSatellite.register(app)).signIn(person.token);
    const code = await codeOf(person);
    await expectRefused(redeem(code, satellite.accessToken));
    expect((await redeem(code, person.token)).status).toBe(201);
  });

  it('needs a bearer', async () => {
    const code = await codeOf(await Person.signUp(app));
    expect(await app.call('POST', `${IDENTITIES}/redeem`, { code })).toMatchObject({ status: 401 });
  });

  it('asks for a recent sign-in when it is redeemed, and is not burnt by a refusal', async () => {
    const person = await Person.signUp(app);
    const code = await codeOf(person);
    const { accessToken: old } = await signedInAgo(app, person);
    expect(await redeem(code, old)).toMatchObject({
      status: 401,
      body: { type: '/errors/insufficient-user-authentication' },
    });
    expect(await owners()).toEqual([]);
    const body = { method: 'password', password: person.password };
    const confirmed = await app.post('step-up', body, { token: old });
    expect((await redeem(code, String(confirmed.body['accessToken']))).status).toBe(201);
  });

  it('refuses an identity that another account has linked in the meantime', async () => {
    const [one, two] = [await Person.signUp(app), await Person.signUp(app)];
    const [ones, twos] = [await codeOf(one), await codeOf(two)];
    const answers = await Promise.all([redeem(ones, one.token), redeem(twos, two.token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      type: '/errors/conflict',
      detail: expect.stringContaining('another account'),
    });
    expect(await owners()).toHaveLength(1);
  });

  it.each([
    ['its authority named', 'authority.example', true],
    ['another provider named', 'other.example', false],
  ])('notes that the address of the account is one that %s', async (_what, domain, isAuthority) => {
    const person = await Person.signUp(app, `${sub}@${domain}`);
    lab.person = { sub, email: person.email, email_verified: true };
    await redeem(await codeOf(person), person.token);
    const noted = await app.sql('SELECT is_authority FROM external_identities WHERE subject = $1', [sub]);
    expect(noted).toEqual([{ is_authority: isAuthority }]);
  });

  it('links again what is linked already, without a second row or mail', async () => {
    const person = await Person.signUp(app);
    const first = await redeem(await codeOf(person), person.token);
    const second = await redeem(await codeOf(person), person.token);
    expect(second).toMatchObject({ status: 201, body: { id: first.body['id'] } });
    expect(await app.mails(person.email, 2)).toHaveLength(2); // the verification, and the identity
  });

  it('is refused where the session ends while the redemption waits for its account', async () => {
    const person = await Person.signUp(app);
    const code = await codeOf(person);
    const reset = new Client({ connectionString: app.databaseUrl });
    await reset.connect();
    await reset.query('BEGIN');
    await reset.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [person.id]);
    await reset.query('UPDATE sessions SET ended_at = now() WHERE account_id = $1', [person.id]);
    const redemption = redeem(code, person.token);
    await eventually('the redemption waits', async () => (await app.waitingForLocks()) > 0);
    await reset.query('COMMIT');
    await reset.end();
    expect((await redemption).status).toBe(401);
    expect(await owners()).toEqual([]);
  });

  it.each<[string, (person: Person) => Promise<unknown>]>([
    [
      'a new password',
      ({ token, password: currentPassword }) =>
        app.call(
          'PUT',
          '/api/v1/iam/me/password',
          { currentPassword, newPassword: 'louder-harbour-43' },
          { token },
        ),
    ],
    ['a logout from all other devices', ({ token }) => app.post('logout-others', undefined, { token })],
    ['a suspension', ({ id }) => app.command('account:suspend', '--account', id)],
    ['an erasure', ({ token }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })],
  ])('does not outlive %s', async (_what, happen) => {
    const person = await Person.signUp(app);
    const code = await codeOf(person);
    await happen(person);
    const left = await app.sql('SELECT 1 FROM one_time_codes WHERE account_id = $1', [person.id]);
    expect(left).toEqual([]);
    expect([400, 401]).toContain((await redeem(code, person.token)).status);
    expect(await owners()).toEqual([]);
  });
});
