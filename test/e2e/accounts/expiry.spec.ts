import { Client } from 'pg';
import { ulid } from 'ulid';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { age, ageSession } from '../../support/ageing.js';
import { ExternalVisitor } from '../../support/external.js';
import { login } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { type Ceremony, SoftAuthenticator } from '../../support/soft-authenticator.js';
import { eventually, itemsOf, QUIET, type Answer, TestApp, withApp } from '../../support/test-app.js';

const IAM = '/api/v1/iam';
const PASSWORD = 'quiet-harbour-42';
const AUTHENTICATORS = '/api/v1/iam/me/authenticators';
const DAY = 86_400;
const TTL = { SESSION_TTL: '10000', REFRESH_IDLE_TTL: '1000' };

/** Checks what expires shortly before and after its time. No test waits: rows are made older. */
describe('After its expiry', () => {
  let oidc: OidcStandIn;
  const saml = new SamlStandIn();
  let app: TestApp;
  let account: { email: string; password: string };
  beforeAll(async () => {
    oidc = await OidcStandIn.start();
    app = await TestApp.start({
      ...TTL,
      ...oidc.settings,
      ...saml.settings,
      EXTERNAL_BROWSER_BINDING: 'cookie',
      EMAIL_SIGN_IN: 'on',
    });
    account = await app.register();
  });
  afterAll(async () => {
    await app.stop();
    await oidc.close();
  });

  const refresh = (refreshToken: string): Promise<Answer> => app.post('refresh', { refreshToken });
  const me = async (token: string): Promise<number> => (await app.get(`${IAM}/me`, token)).status;
  const reuses = async (sessionId: string): Promise<number> =>
    (
      await app.sql("SELECT 1 FROM audit_events WHERE action LIKE 'session.%-reused' AND subject = $1", [
        `iam/sessions/${sessionId}`,
      ])
    ).length;

  /** Runs work while another transaction holds a lock that it needs, changes a row and commits. */
  async function whileHeld<T>(
    hold: readonly [sql: string, parameters?: unknown[]],
    work: () => Promise<T>,
    change: readonly [sql: string, parameters?: unknown[]],
  ): Promise<T> {
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(...hold);
      const waiting = work();
      await eventually('it waits', async () => (await app.waitingForLocks()) > 0);
      await other.query(...change);
      await other.query('COMMIT');
      return await waiting;
    } finally {
      await other.end();
    }
  }

  describe('a session', () => {
    it('has no valid access token', async () => {
      const { accessToken, sessionId } = await app.login(account);
      await age(app, 'sessions', 9_990, 'id = $1', [sessionId]);
      expect(await me(accessToken)).toBe(200);
      const other = await app.login(account);
      await age(app, 'sessions', 10_001, 'id = $1', [other.sessionId]);
      expect(await me(other.accessToken)).toBe(401);
    });

    it('is not listed and cannot be ended', async () => {
      const { accessToken } = await app.login(account);
      const [expired, ended] = [await app.login(account), await app.login(account)];
      await age(app, 'sessions', 10_001, 'id = $1', [expired.sessionId]);
      await app.sql('UPDATE sessions SET ended_at = now() WHERE id = $1', [ended.sessionId]);
      const list = itemsOf<{ id: string }>(await app.get(`${IAM}/me/sessions`, accessToken));
      expect(list.map(({ id }) => id)).not.toContain(expired.sessionId);
      expect(list.map(({ id }) => id)).not.toContain(ended.sessionId);
      for (const { sessionId } of [expired, ended])
        expect(
          await app.call('DELETE', `${IAM}/me/sessions/${sessionId}`, undefined, { token: accessToken }),
        ).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    });

    it.each(['expired', 'ended'])(
      'that has %s gives no code for a satellite, also where it is known',
      async (how) => {
        const satellite = await TestSatellite.register(app);
        const { accessToken, sessionId } = await app.login(account);
        expect(await me(accessToken)).toBe(200); // caches the session as alive
        if (how === 'expired') await age(app, 'sessions', 10_001, 'id = $1', [sessionId]);
        else await app.sql('UPDATE sessions SET ended_at = now() WHERE id = $1', [sessionId]);
        expect((await satellite.issue(accessToken, pkce().codeChallenge)).status).toBe(401);
      },
    );

    it.each(['expired', 'ended'])('that has %s cannot be used by a satellite', async (how) => {
      const satellite = await TestSatellite.register(app);
      const { accessToken, sessionId } = await app.login(account);
      const { codeVerifier, codeChallenge } = pkce();
      const { body } = await satellite.issue(accessToken, codeChallenge);
      if (how === 'expired') await age(app, 'sessions', 10_001, 'id = $1', [sessionId]);
      else await app.sql('UPDATE sessions SET ended_at = now() WHERE id = $1', [sessionId]);
      expect((await satellite.exchange(body['code'], codeVerifier)).status).toBe(400);
      expect(await app.sql('SELECT 1 FROM grants WHERE session_id = $1', [sessionId])).toHaveLength(1);
    });
  });

  describe('a refresh grant', () => {
    it('is refused without being taken for reuse', async () => {
      const { refreshToken, sessionId } = await app.login(account);
      await ageSession(app, sessionId, 990);
      const second = await refresh(refreshToken);
      expect([second.status, second.body['refreshExpiresIn']]).toEqual([200, 1_000]);
      await ageSession(app, sessionId, 1_001);
      expect((await refresh(String(second.body['refreshToken']))).status).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
      expect(await reuses(sessionId)).toBe(0);
      expect(
        await app.sql('SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL', [sessionId]),
      ).toHaveLength(1);
    });

    it('selects no tenant, and neither does an ended one', async () => {
      const organization = await Organization.found(app);
      const select = async (change: string) => {
        const person = await Person.again(organization.owner.person);
        await app.sql(`UPDATE grants SET ${change} WHERE session_id = $1`, [person.sessionId]);
        const { status } = await app.post(
          'select-tenant',
          { tenantId: organization.id },
          { token: person.token },
        );
        return status;
      };
      expect(await select('last_used_at = now()')).toBe(200);
      expect(await select("idle_expires_at = now() - interval '1 second'")).toBe(401);
      expect(await select('ended_at = now()')).toBe(401);
    });

    it('that has ended is refused with each of its tokens, without being taken for reuse', async () => {
      const { refreshToken, sessionId } = await app.login(account);
      const second = await refresh(refreshToken);
      await app.sql('UPDATE grants SET ended_at = now() WHERE session_id = $1', [sessionId]);
      expect((await refresh(String(second.body['refreshToken']))).status).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
      await age(app, 'grants', 31, 'session_id = $1', [sessionId]);
      expect((await refresh(refreshToken)).status).toBe(401);
      expect(await reuses(sessionId)).toBe(0);
    });

    it('returns the same successor during the retry window only', async () => {
      const { refreshToken, sessionId } = await app.login(account);
      const { body } = await refresh(refreshToken);
      await age(app, 'grants', 25, 'session_id = $1', [sessionId]);
      expect((await refresh(refreshToken)).body['refreshToken']).toBe(body['refreshToken']);
      await age(app, 'grants', 6, 'session_id = $1', [sessionId]);
      expect((await refresh(refreshToken)).status).toBe(401);
      expect(await reuses(sessionId)).toBe(1);
    });

    it('ends when its client has twenty newer ones in the session, and no other ends', async () => {
      const [satellite, other] = [await TestSatellite.register(app), await TestSatellite.register(app)];
      const [here, otherSession] = [await app.login(account), await app.login(account)];
      const oldest = await satellite.signIn(here.accessToken);
      const second = await satellite.signIn(here.accessToken);
      const ofAnotherSession = await satellite.signIn(otherSession.accessToken);
      const ofAnotherClient = await other.signIn(here.accessToken);
      for (let n = 2; n <= 20; n += 1) await satellite.signIn(here.accessToken);
      expect((await satellite.refresh(oldest.refreshToken)).status).toBe(401);
      expect((await satellite.refresh(second.refreshToken)).status).toBe(200);
      expect((await satellite.refresh(ofAnotherSession.refreshToken)).status).toBe(200);
      expect((await other.refresh(ofAnotherClient.refreshToken)).status).toBe(200);
      expect((await refresh(here.refreshToken)).status).toBe(200);
    });

    it('that has ended does not count, and one that ends later has ended once', async () => {
      const satellite = await TestSatellite.register(app);
      const { accessToken, sessionId } = await app.login(account);
      const first = await satellite.signIn(accessToken);
      for (let n = 0; n < 25; n += 1) {
        await satellite.signIn(accessToken);
        await app.sql(
          "UPDATE grants SET ended_at = now() - interval '1 hour' WHERE id = (SELECT max(id) FROM grants WHERE session_id = $1)",
          [sessionId],
        );
      }
      expect((await satellite.refresh(first.refreshToken)).status).toBe(200);
    });

    describe('of a session that ends before the grant would', () => {
      const short = withApp({ SESSION_TTL: '100', REFRESH_IDLE_TTL: '1000' });

      const refreshAt = (refreshToken: string) => short.post('refresh', { refreshToken });

      it.each(['login', 'refresh', 'satellite'])('ends with it: after a %s', async (made) => {
        const { accessToken, refreshToken, sessionId } = await short.login(await short.register());
        let last = { refreshToken, refreshExpiresIn: 100 };
        if (made === 'refresh') last = (await refreshAt(refreshToken)).body as never;
        const satellite = made === 'satellite' ? await TestSatellite.register(short) : null;
        if (satellite) last = (await satellite.signIn(accessToken)) as never;
        expect(last.refreshExpiresIn).toBeLessThanOrEqual(100);
        const [grant] = await short.sql<{ capped: boolean }>(
          'SELECT bool_and(g.idle_expires_at <= s.expires_at) AS capped FROM grants g JOIN sessions s ON s.id = g.session_id WHERE s.id = $1',
          [sessionId],
        );
        expect(grant?.capped).toBe(true);
        await ageSession(short, sessionId, 101);
        expect((await (satellite?.refresh(last.refreshToken) ?? refreshAt(last.refreshToken))).status).toBe(
          401,
        );
      });
    });
  });

  describe('a mailed link', () => {
    it.each([
      ['verifies no address', DAY],
      ['verifies none, also where its row has not been cleared away for long', 30 * DAY],
    ])('%s', async (_what, seconds) => {
      const email = `verify-${seconds}@example.com`;
      await app.post('register', { email, password: PASSWORD, firstName: 'Ada' });
      const token = await app.mailedToken(email);
      await age(app, 'pending_registrations', seconds + 1, 'email_key = $1', [email]);
      expect(await app.post('verify-email', { token })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'token' }] },
      });
      expect((await app.post('login', { email, password: PASSWORD })).body['type']).toBe(
        '/errors/invalid-credentials',
      );
    });

    it('verifies an address until it expires', async () => {
      const email = 'verify-in-time@example.com';
      await app.post('register', { email, password: PASSWORD, firstName: 'Ada' });
      const token = await app.mailedToken(email);
      await age(app, 'pending_registrations', DAY - 60, 'email_key = $1', [email]);
      expect((await app.post('login', { email, password: PASSWORD })).body['type']).toBe(
        '/errors/email-not-verified',
      );
      expect((await app.post('verify-email', { token })).status).toBe(204);
    });

    it('is not resent for an expired registration', async () => {
      const email = 'resend@example.com';
      await app.post('register', { email, password: PASSWORD, firstName: 'Ada' });
      await app.mailedToken(email);
      await age(app, 'pending_registrations', DAY + 1, 'email_key = $1', [email]);
      await app.post('resend-verification', { email });
      await eventually(
        'the jobs are done',
        async () => (await app.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0,
      );
      expect(
        await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1 AND expires_at > now()', [
          email,
        ]),
      ).toEqual([]);
      expect(await app.mails(email)).toHaveLength(1);
    });

    const askForReset = async (email: string): Promise<string> => {
      const { length: before } = await app.mails(email);
      await app.post('request-password-reset', { email });
      return app.mailedToken(email, before + 1);
    };
    const reset = (token: string): Promise<Answer> =>
      app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });

    it('sets no password', async () => {
      const [early, late] = [await app.register(), await app.register()];
      const inTime = await askForReset(early.email);
      const tooLate = await askForReset(late.email);
      const [row] = await app.sql<{ lifetime: number }>(
        'SELECT extract(epoch FROM max(expires_at) - now())::int AS lifetime FROM password_resets',
      );
      const lifetime = row?.lifetime ?? NaN;
      expect(lifetime).toBeLessThanOrEqual(3_600);
      const owner = 'account_id = (SELECT id FROM accounts WHERE email_key = $1)';
      await age(app, 'password_resets', lifetime - 60, owner, [early.email]);
      await age(app, 'password_resets', lifetime + 1, owner, [late.email]);
      expect((await reset(inTime)).status).toBe(204);
      expect(await reset(tooLate)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'token' }] },
      });
      expect((await app.post('login', late)).status).toBe(200);
    });

    it('sets no password if it expires while the request waits', async () => {
      const { email, password } = await app.register();
      const token = await askForReset(email);
      const answer = await whileHeld(
        ['SELECT 1 FROM accounts WHERE email_key = $1 FOR UPDATE', [email]],
        () => reset(token),
        ["UPDATE password_resets SET expires_at = now() - interval '1 second'"],
      );
      expect(answer.status).toBe(400);
      expect((await app.post('login', { email, password })).status).toBe(200);
    });
  });

  describe('an invitation', () => {
    let organization: Organization;
    let roleId: string;
    beforeAll(async () => {
      organization = await Organization.found(app);
      const role = { key: 'packer', name: 'Packer', scopes: [] };
      roleId = String((await organization.call('POST', '/roles', role)).body['id']);
    });

    it('is refused, is shown as expired, and does not prevent another', async () => {
      const guest = await Person.signUp(app);
      const { length: mailed } = await app.mails(guest.email);
      const invite = () =>
        organization.call('POST', '/invitations', { email: guest.email, roles: ['packer'] });
      const { body } = await invite();
      const id = String(body['id']);
      const token = await app.mailedToken(guest.email, mailed + 1);
      const lifetime = (Date.parse(String(body['expiresAt'])) - Date.parse(String(body['createdAt']))) / 1000;
      const status = async () =>
        itemsOf<{ id: string; status: string }>(await organization.call('GET', '/invitations')).find(
          (invitation) => invitation.id === id,
        )?.status;
      const accept = () => app.post('accept-invitation', { token }, { token: guest.token });
      const removeRole = () => organization.call('DELETE', `/roles/${roleId}`);

      await age(app, 'invitations', lifetime - 60, 'id = $1', [id]);
      expect([await status(), (await invite()).status, (await removeRole()).status]).toEqual([
        'open',
        409,
        403,
      ]);
      await age(app, 'invitations', 61, 'id = $1', [id]);
      expect(await status()).toBe('expired');
      expect(await accept()).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'token' }] },
      });
      expect(await organization.call('DELETE', `/invitations/${id}`)).toMatchObject({
        status: 403,
        body: { code: 'state_forbids' },
      });
      const again = await invite();
      expect(again.status).toBe(201);
      expect((await removeRole()).status).toBe(403);
      await age(app, 'invitations', lifetime + 1, 'id = $1', [again.body['id']]);
      expect((await removeRole()).status).toBe(204);
    });
  });

  describe("a satellite's", () => {
    it('code is refused, and ends nothing if it was used before', async () => {
      const satellite = await TestSatellite.register(app);
      const { accessToken, sessionId } = await app.login(account);
      const { codeVerifier, codeChallenge } = pkce();
      const issue = async () => String((await satellite.issue(accessToken, codeChallenge)).body['code']);
      const pass = (seconds: number) => age(app, 'one_time_codes', seconds, 'session_id = $1', [sessionId]);
      const inTime = await issue();
      await pass(55);
      expect((await satellite.exchange(inTime, codeVerifier)).status).toBe(200);
      const tooLate = await issue();
      await pass(61);
      for (const code of [tooLate, inTime])
        expect((await satellite.exchange(code, codeVerifier)).status).toBe(400);
      expect(await reuses(sessionId)).toBe(0);
      expect(await me(accessToken)).toBe(200);
    });

    it('secret is refused a day after it was rotated', async () => {
      const satellite = await TestSatellite.register(app);
      const operator = await Person.signUp(app);
      await app.command('operator:grant', '--account', operator.email);
      const rotated = await app.call(
        'POST',
        `${IAM}/satellites/${satellite.clientId}/rotate-secret`,
        undefined,
        { token: operator.token },
      );
      expect(rotated.status).toBe(200);
      const { codeVerifier, codeChallenge } = pkce();
      const exchange = async (clientSecret: unknown): Promise<number> => {
        const { body } = await satellite.issue(operator.token, codeChallenge);
        return (await satellite.exchange(body['code'], codeVerifier, { clientSecret })).status;
      };
      const which = ['client_id = $1', [satellite.clientId]] as const;
      await age(app, 'satellites', DAY - 60, ...which);
      expect(await exchange(satellite.clientSecret)).toBe(200);
      await age(app, 'satellites', 61, ...which);
      expect(await exchange(satellite.clientSecret)).toBe(401);
      expect(await exchange(rotated.body['clientSecret'])).toBe(200);
    });
  });

  describe('an external sign-in', () => {
    const later = async <T>(seconds: number, work: () => Promise<T>): Promise<T> => {
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + seconds * 1_000);
      return work().finally(() => clock.mockRestore());
    };

    it('is refused if its state is older than ten minutes', async () => {
      const visitor = new ExternalVisitor(app, 'oidc');
      const begin = async () => oidc.visit(String((await visitor.start()).body['authorizationUrl']));
      const [inTime, tooLate] = [await begin(), await begin()];
      const late = await later(601, () => visitor.open(tooLate));
      expect([late.status, late.returnUri]).toEqual([400, '']);
      const early = await later(-60, () => visitor.open(inTime));
      expect(early.fragment).toMatchObject({ token_type: 'Bearer' });
    });

    it('is refused if its stored state has expired', async () => {
      const visitor = ExternalVisitor.browser(app, 'saml');
      const answer = async (seconds: number) => {
        const { body } = await visitor.start();
        const form = saml.answer(String(body['authorizationUrl']), 'late');
        expect(await age(app, 'external_states', seconds)).toBeGreaterThan(0);
        return visitor.post(form);
      };
      expect(await answer(590)).toMatchObject({ status: 303, returnUri: expect.stringContaining('?form=') });
      expect(await answer(601)).toMatchObject({ status: 400, returnUri: '' });
    });

    it('is refused if its stored form post has expired', async () => {
      const visitor = ExternalVisitor.browser(app, 'saml');
      const land = async (seconds: number) => {
        const { body } = await visitor.start();
        const posted = await visitor.post(saml.answer(String(body['authorizationUrl']), 'bound'));
        expect(posted.returnUri).toContain('?form=');
        expect(await age(app, 'external_forms', seconds)).toBeGreaterThan(0);
        return visitor.open(posted.returnUri);
      };
      expect((await land(50)).fragment).toMatchObject({ token_type: 'Bearer' });
      expect(await land(61)).toMatchObject({ status: 400, returnUri: '' });
    });

    it('starts no session by a code older than a minute, and a used one ends no session then', async () => {
      const visitor = new ExternalVisitor(app, 'oidc');
      const { codeVerifier, codeChallenge } = pkce();
      const codeOf = async (): Promise<string> => {
        const { body } = await visitor.start({ codeChallenge });
        return (await visitor.open(oidc.visit(String(body['authorizationUrl'])))).fragment['code'] ?? '';
      };
      const redeem = (code: string) => app.post('external/token', { code, codeVerifier });
      const inTime = await codeOf();
      await age(app, 'one_time_codes', 55, "purpose = 'external'");
      const { status, body } = await redeem(inTime);
      expect(status).toBe(200);
      const tooLate = await codeOf();
      await age(app, 'one_time_codes', 61, "purpose = 'external'");
      expect([(await redeem(tooLate)).status, (await redeem(inTime)).status]).toEqual([400, 400]);
      expect(await reuses(String(body['sessionId']))).toBe(0);
      expect(await me(String(body['accessToken']))).toBe(200);
    });

    it('starts no session by a code that expires while the request waits', async () => {
      const visitor = new ExternalVisitor(app, 'oidc');
      const { codeVerifier, codeChallenge } = pkce();
      const { body } = await visitor.start({ codeChallenge });
      const { fragment } = await visitor.open(oidc.visit(String(body['authorizationUrl'])));
      const { status } = await whileHeld(
        ['SELECT 1 FROM accounts FOR UPDATE'],
        () => app.post('external/token', { code: fragment['code'], codeVerifier }),
        ["UPDATE one_time_codes SET expires_at = now() - interval '1 second'"],
      );
      expect(status).toBe(400);
    });

    it('links no identity if the sign-in is older than ten minutes', async () => {
      const { refreshToken, sessionId } = await app.login(account);
      let next = refreshToken;
      /** Links an identity by a new access token, which has the age of the sign-in. */
      const linkAfter = async (seconds: number): Promise<Response> => {
        await age(app, 'sessions', seconds, 'id = $1', [sessionId]);
        const { body } = await refresh(next);
        next = String(body['refreshToken']);
        const headers = {
          authorization: `Bearer ${String(body['accessToken'])}`,
          'content-type': 'application/json',
        };
        return fetch(`${app.url}${IAM}/me/identities/oidc/link`, { method: 'POST', headers, body: '{}' });
      };
      expect((await linkAfter(580)).status).toBe(200);
      const late = await linkAfter(22);
      expect(late.status).toBe(401);
      expect(late.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
    });
  });

  describe('cleanup', () => {
    /** Every table with rows that expire. For a new one, create a row of it in `useEverything`. */
    let tables: string[];
    beforeAll(async () => {
      const rows = await app.sql<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'expires_at'`,
      );
      tables = rows.map(({ name }) => name);
    });
    const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();

    /** Creates at least one row in each of the tables. */
    async function useEverything(round: string): Promise<void> {
      const { id: tenantId, path, owner } = await Organization.found(app);
      await useConnections(tenantId);
      await app.sql(
        "INSERT INTO used_assertions (assertion_hash, expires_at) VALUES (sha256($1::bytea), now() + interval '1 day')",
        [round],
      );
      await app.sql(
        "INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, name, created_by, expires_at) VALUES ($1, $1, $2, 'service-account', 'key', '-', $1, now() + interval '1 day')",
        [tenantId, ulid()],
      );
      await app.sql(
        `WITH account AS (INSERT INTO platform_accounts (id, name, role) VALUES ($1, '-', 'support') RETURNING id)
         INSERT INTO platform_keys (id, account_id, lookup, name, secret_hash, expires_at)
         SELECT id, id, id, '-', '', now() + interval '1 day' FROM account`,
        [ulid()],
      );
      await app.sql(
        "INSERT INTO account_exports (account_id, id, expires_at) VALUES ($1, $2, now() + interval '1 day')",
        [owner.person.id, ulid()],
      );
      await app.sql("INSERT INTO directories (tenant_id, id, name) VALUES ($1, $1, 'Entra ID')", [tenantId]);
      await app.sql(
        "INSERT INTO directory_tokens (tenant_id, directory_id, id, name, secret_hash, expires_at) VALUES ($1, $1, $2, '-', '', now() + interval '1 day')",
        [tenantId, ulid()],
      );
      await app.sql(
        "INSERT INTO directory_log (tenant_id, directory_id, id, method, path, status) VALUES ($1, $1, $2, 'GET', '/Users', 200)",
        [tenantId, ulid()],
      );
      await app.sql(
        `INSERT INTO connection_changes (tenant_id, id, connection_id, kind, settings_version, sha256, sealed_change, requested_by, by_setup_link, expires_at)
         SELECT tenant_id, $2, id, 'settings', 1, '{}', '-', $2, false, now() + interval '1 day' FROM connections WHERE tenant_id = $1 LIMIT 1`,
        [tenantId, ulid()],
      );
      await app.sql(
        "INSERT INTO import_requests (digest, operator_id, expires_at) VALUES (sha256($1::bytea), $2, now() + interval '1 day')",
        [round, ulid()],
      );
      const partner = { email: `${round}@partner.example`, roles: ['member'] };
      await app.call('POST', `${path}/partnerships`, partner, { token: owner.token });
      const request = { role: 'admin', hours: 1, reason: 'A delivery' };
      await app.call('POST', `${path}/access-requests`, request, { token: owner.token });
      const invitation = { email: `${round}@example.com`, roles: ['member'] };
      const headers = { 'idempotency-key': `invitation-${round}` };
      await app.call('POST', `${path}/invitations`, invitation, { token: owner.token, headers });
      await app.post('register', { email: `${round}@example.com`, password: PASSWORD, firstName: 'Ada' });
      await app.mailedToken(`${round}@example.com`);
      await app.post('login', { email: `${round}@example.com`, password: 'wrong' });
      const { email } = owner.person;
      const { length: before } = await app.mails(email);
      await app.post('request-password-reset', { email });
      await app.mails(email, before + 1);
      await changeAddress(round);
      await app.post('email-code', { email });
      await app.mails(email, before + 2);
      const satellite = await TestSatellite.register(app);
      await satellite.issue(owner.token, pkce().codeChallenge);
      await app.sql(
        "INSERT INTO oidc_devices (device_hash, user_code_hash, client_id, scopes, interval_seconds, expires_at) VALUES (sha256($1::bytea), sha256($1::bytea), $2, '{}', 5, now() + interval '10 minutes')",
        [round, satellite.clientId],
      );
      await app.sql(
        "INSERT INTO impersonations (id, account_id, tenant_id, operator_id, operator_session_id, reason, expires_at) VALUES ($1, $2, $3, $1, $1, '-', now() + interval '15 minutes')",
        [ulid(), owner.person.id, tenantId],
      );
      await app.sql(
        "INSERT INTO retired_slugs (slug_key, expires_at) VALUES (sha256($1::bytea), now() + interval '1 day')",
        [round],
      );
      await app.sql(
        "INSERT INTO erasure_requests (account_id, operator_id, expires_at) VALUES ($1, $2, now() + interval '1 day')",
        [owner.person.id, ulid()],
      );
      const client = await RelyingParty.register(app);
      await client.request();
      await client.approve((await client.request()).id, owner.token);
      await app.sql(
        `INSERT INTO saml_requests (client_id, request_hash, state_hash, consumer, name_id_format, allow_create, expires_at)
         VALUES ($1, sha256(convert_to($1, 'UTF8')), sha256(convert_to($1, 'UTF8')), '', '', false, now() + interval '15 minutes')`,
        [client.clientId],
      );
      await app.sql(
        `INSERT INTO saml_client_keys (kid, client_id, certificate, sealed_private_key, signs_from, expires_at)
         VALUES ($1, $1, '', '', now(), now() + interval '1 day')`,
        [client.clientId],
      );
      await useSecondFactors();
      const [byOidc, bySaml] = [new ExternalVisitor(app, 'oidc'), ExternalVisitor.browser(app, 'saml')];
      const started = await byOidc.start({ codeChallenge: pkce().codeChallenge });
      await byOidc.open(oidc.visit(String(started.body['authorizationUrl'])));
      const { body: link } = await byOidc.link(owner.token);
      oidc.person = { sub: round };
      await byOidc.open(oidc.visit(String(link['authorizationUrl'])));
      for (const wanted of ['signed in', 'form kept']) {
        const { body } = await bySaml.start();
        const posted = await bySaml.post(saml.answer(String(body['authorizationUrl']), round));
        if (wanted === 'signed in') await bySaml.open(posted.returnUri);
      }
    }

    /** Leaves a connection with a test that waits, and a set-up link. */
    async function useConnections(tenantId: string): Promise<void> {
      const id = ulid();
      await app.sql(
        "INSERT INTO connections (tenant_id, id, kind, name, provisioning) VALUES ($1, $2, 'saml', 'Main', '{}')",
        [tenantId, id],
      );
      await app.sql(
        `INSERT INTO connection_tests (tenant_id, id, connection_id, settings_version, expires_at)
         VALUES ($1, $2, $2, 1, now() + interval '15 minutes')`,
        [tenantId, id],
      );
      await app.sql(
        `INSERT INTO setup_links (tenant_id, id, token_hash, intents, created_by, expires_at)
         VALUES ($1, $2, sha256('${id}'::bytea), '{sso}', $2, now() + interval '7 days')`,
        [tenantId, id],
      );
    }

    /** Leaves a change of address that can be undone, and one that waits for its confirmation. */
    async function changeAddress(round: string): Promise<void> {
      const { token } = await Person.signUp(app);
      const ask = (email: string) => app.call('PUT', `${IAM}/me/email`, { email }, { token });
      await ask(`changed-${round}@example.com`);
      await app.post('confirm-email', { token: await app.mailedToken(`changed-${round}@example.com`) });
      await ask(`wanted-${round}@example.com`);
    }

    /** Leaves a trusted device, a spent ceremony, and a sign-in without its second factor. */
    async function useSecondFactors(): Promise<void> {
      const person = await Person.signUp(app);
      const { token } = person;
      const authenticator = new SoftAuthenticator(QUIET.PUBLIC_URL);
      const options = await app.call('POST', `${AUTHENTICATORS}/passkeys/options`, undefined, { token });
      const answer = authenticator.register(options.body as unknown as Ceremony);
      await app.call('POST', `${AUTHENTICATORS}/passkeys`, answer, { token });
      for (const rememberDevice of [true, false]) {
        const { challenge } = (await login(app, person)).body;
        if (!rememberDevice) continue;
        const { body } = await app.post('passkeys/options', { challenge });
        const assertion = authenticator.assert(body as unknown as Ceremony);
        await app.post('second-factor', { challenge, method: 'passkey', rememberDevice, ...assertion });
      }
    }

    const count = async (condition: string): Promise<Record<string, number>> => {
      const counts = tables.map(
        (table) => `(SELECT count(*)::int FROM ${table} WHERE ${condition}) AS ${table}`,
      );
      const [row = {}] = await app.sql<Record<string, number>>(`SELECT ${counts.join(', ')}`);
      return row;
    };

    it('removes all expired rows and no others', async () => {
      await useEverything('first');
      // The reasons of operators who acted as a person are kept for a year.
      const daysOf = (table: string) => (table === 'impersonations' ? 366 : 200);
      for (const table of tables)
        expect([table, await age(app, table, daysOf(table) * DAY)]).not.toEqual([table, 0]);
      await useEverything('second');
      const alive = await count('expires_at > now()');
      for (const table of tables) expect([table, alive[table]]).not.toEqual([table, 0]);
      await cleanUp();
      expect(await count('expires_at > now()')).toEqual(alive);
      expect(await count('expires_at <= now()')).toEqual(
        Object.fromEntries(tables.map((table) => [table, 0])),
      );
    });

    it('keeps ended sessions for a day and expired invitations for a month', async () => {
      const organization = await Organization.found(app);
      const rows = async (table: string, id: unknown): Promise<number> =>
        (await app.sql(`SELECT 1 FROM ${table} WHERE id = $1`, [id])).length;
      const invitation = { email: 'a-month@example.com', roles: ['member'] };
      const { id, createdAt, expiresAt } = (await organization.call('POST', '/invitations', invitation)).body;
      const lifetime = (Date.parse(String(expiresAt)) - Date.parse(String(createdAt))) / 1000;
      const { sessionId } = await app.login(account);
      await app.sql(
        "UPDATE sessions SET expires_at = now() + interval '9 days', ended_at = now() WHERE id = $1",
        [sessionId],
      );
      await age(app, 'sessions', DAY - 60, 'id = $1', [sessionId]);
      await age(app, 'invitations', lifetime + 30 * DAY - 60, 'id = $1', [id]);
      await cleanUp();
      expect([await rows('sessions', sessionId), await rows('invitations', id)]).toEqual([1, 1]);
      await age(app, 'sessions', 61, 'id = $1', [sessionId]);
      await age(app, 'invitations', 61, 'id = $1', [id]);
      await cleanUp();
      expect([await rows('sessions', sessionId), await rows('invitations', id)]).toEqual([0, 0]);
    });

    it('removes a signing key a day after its successor began to sign, and no other', async () => {
      const keys = async (): Promise<string[]> =>
        (await app.sql<{ kid: string }>('SELECT kid FROM signing_keys ORDER BY signs_from')).map(
          ({ kid }) => kid,
        );
      const [first] = await keys();
      await app.command('keys:rotate');
      await cleanUp();
      const [, second] = await keys();
      expect(await keys()).toEqual([first, second]);
      await age(app, 'signing_keys', 600 + DAY - 60);
      await cleanUp();
      expect(await keys()).toEqual([first, second]);
      await age(app, 'signing_keys', 61);
      await cleanUp();
      expect(await keys()).toEqual([second]);
      await age(app, 'signing_keys', 365 * DAY);
      await cleanUp();
      expect(await keys()).toEqual([second]);
    });
  });
});
