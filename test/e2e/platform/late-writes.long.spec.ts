import { randomBytes } from 'node:crypto';
import { PasswordHasher } from '../../../src/iam/accounts/credentials/password-hasher.js';
import { HangingServer } from '../../support/hanging-server.js';
import { TestTotp, login, loginWith } from '../../support/factors.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { callSignals, PolledStream } from '../../support/signal-stream.js';
import { Pooler } from '../../support/pooler.js';
import { type Answer, createDatabase, TestApp } from '../../support/test-app.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { describeWith } from '../../support/tools.js';

const ME = '/api/v1/iam/me';
const NEW_PASSWORD = 'another-harbour-7';

/** Each test waits until the replica gives up: longer than in production, on a busy machine. */
const IMPATIENT = { timeouts: { acquireMs: 3_000, lockMs: 3_000, statementMs: 3_000, answerMs: 4_000 } };

/** What a command works on. */
interface Scene {
  /** The replica whose database hangs. */
  readonly here: TestApp;
  readonly other: TestApp;
  readonly organization: Organization;
  readonly person: Person;
  readonly member: Member;
}

interface Command {
  /** Event that the command emits, and that must not be there. */
  readonly event: string;
  /** Prepares the command. @returns the request */
  readonly by: (scene: Scene) => Promise<() => Promise<Answer>>;
}

const ofMe = (event: string, method: string, path: string): Command => ({
  event,
  by:
    async ({ here, person: { token } }) =>
    () =>
      here.call(method, path, undefined, { token }),
});

const ofOwner = (
  event: string,
  method: string,
  below: (scene: Scene) => string | Promise<string>,
  body?: object,
): Command => ({
  event,
  by: async (scene) => {
    const { here, organization } = scene;
    const path = `${organization.path}${await below(scene)}`;
    return () => here.call(method, path, body, { token: organization.owner.token });
  },
});

/** Makes a service account with a key. @returns the path of the key */
async function keyPath({ organization }: Scene): Promise<string> {
  const { owner } = organization;
  const account = await organization.call('POST', '/service-accounts', { name: 'Robot', roles: ['member'] });
  const below = `/service-accounts/${String(account.body['id'])}/keys`;
  const key = await organization.call('POST', below, { name: 'Key' }, owner.token);
  if (key.status !== 201) throw new Error(`The key answered ${key.status}.`);
  return `${below}/${String(key.body['id'])}`;
}

const memberPath = ({ member }: Scene) => `/members/${member.person.id}`;

/** Commands that set what decides about security. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'a changed password': {
    event: 'iam.password.changed',
    by: async ({ here, person: { token, password } }) => {
      const body = { currentPassword: password, newPassword: NEW_PASSWORD };
      return () => here.call('PUT', `${ME}/password`, body, { token });
    },
  },
  'a reset password': {
    event: 'iam.password.changed',
    by: async ({ here, other, person: { email } }) => {
      await other.post('request-password-reset', { email });
      const token = await other.mailedToken(email, 2);
      return () => here.post('reset-password', { token, newPassword: NEW_PASSWORD });
    },
  },
  'a logout': ofMe('iam.session.ended', 'POST', '/api/v1/iam/auth/logout'),
  'a logout everywhere': ofMe('iam.session.ended', 'POST', '/api/v1/iam/auth/logout-all'),
  'an erasure': ofMe('iam.account.erased', 'DELETE', '/api/v1/iam/auth/account'),
  'an end of one session': {
    event: 'iam.session.ended',
    by: async ({ here, person }) => {
      const { sessionId } = await Person.again(person);
      return () => here.call('DELETE', `${ME}/sessions/${sessionId}`, undefined, { token: person.token });
    },
  },
  'a removed factor': {
    event: 'iam.authenticator.removed',
    by: async ({ here, other, person }) => {
      const totp = await TestTotp.enrol(other, person.token);
      const { body } = await loginWith(other, person, { method: 'totp', code: totp.next() });
      const token = String(body['accessToken']);
      return () => here.call('DELETE', `${ME}/authenticators/${totp.id}`, undefined, { token });
    },
  },
  'changed roles': ofOwner('iam.member.roles-changed', 'PATCH', memberPath, { roles: ['admin'] }),
  'a removed member': ofOwner('iam.member.removed', 'DELETE', memberPath),
  'a suspended member': ofOwner('iam.member.suspended', 'POST', (scene) => `${memberPath(scene)}/suspend`),
  'a sign-in policy': ofOwner('iam.sign-in-policy.changed', 'PUT', () => '/sign-in-policy', {
    sessionMaxHours: 12,
  }),
  'a revoked key': ofOwner('iam.key.revoked', 'DELETE', keyPath),
  'an accepted invitation': {
    event: 'iam.member.joined',
    by: async ({ here, other, organization, person: { email, token } }) => {
      await organization.call('POST', '/invitations', { email, roles: ['admin'] });
      const mailed = await other.mailedToken(email, 2);
      return () => here.post('accept-invitation', { token: mailed }, { token });
    },
  },
  'a suspended account': {
    event: 'iam.account.suspended',
    by:
      async ({ here, person: { email } }) =>
      () =>
        here.command('account:suspend', '--account', email).then(
          () => ({ status: 200 }) as Answer,
          () => ({ status: 503 }) as Answer,
        ),
  },
};

/** Returns a hash of the password with another cost, which a login replaces. */
async function outdatedHash(hasher: PasswordHasher, password: string): Promise<string> {
  const { settings } = hasher as unknown as { settings: { BCRYPT_COST: number } };
  const { BCRYPT_COST } = settings;
  settings.BCRYPT_COST = 5;
  const hash = await hasher.hash(password, '203.0.113.0');
  settings.BCRYPT_COST = BCRYPT_COST;
  return hash;
}

describeWith(['pgbouncer'], 'A write that was answered 503, as its server hung', () => {
  describe.each(['directly', 'through PgBouncer'])('%s', (how) => {
    let server: HangingServer;
    let pooler: Pooler | undefined;
    let here: TestApp;
    let other: TestApp;
    let organization: Organization;
    beforeAll(async () => {
      const direct = await createDatabase();
      server = await HangingServer.before(direct);
      pooler = how === 'directly' ? undefined : await Pooler.before(server.url);
      const ROOT_SECRET = randomBytes(32).toString('base64');
      const shared = { ROOT_SECRET, DATA_DIR: temporaryFolder('late-writes') };
      other = await TestApp.start({ DATABASE_URL: direct, ...shared });
      const url = { DATABASE_URL: pooler?.url ?? server.url, ...(pooler && { DATABASE_DIRECT_URL: direct }) };
      here = await TestApp.start({ ...url, ...shared }, false, [], IMPATIENT);
      organization = await Organization.found(other);
    });
    afterAll(async () => {
      await here.stop();
      await pooler?.stop();
      await server.close();
      await other.stop();
    });

    afterEach(() => server.release());

    const count = async (event: string): Promise<number> =>
      (await other.sql('SELECT 1 FROM events WHERE type = $1', [event])).length;

    it.each(Object.entries(COMMANDS))('is not carried out later: %s', async (_name, { event, by }) => {
      const person = await Person.signUp(other);
      const member = await organization.join('member');
      const request = await by({ here, other, organization, person, member });
      const before = await count(event);
      server.hang('COMMIT', event);
      expect((await request()).status).toBe(503);
      expect(server.hangs).toBe(true);
      await server.wake();
      expect(await count(event)).toBe(before);
      expect((await login(other, person)).status).toBe(event.includes('authenticator') ? 403 : 200);
      const again = (await request()).status;
      expect([200, 204]).toContain(again);
      expect(await count(event)).toBeGreaterThan(before);
    });

    it('does not bring back the hash of an old password', async () => {
      const person = await Person.signUp(other);
      const outdated = await outdatedHash(other.app.get(PasswordHasher, { strict: false }), person.password);
      await other.sql('UPDATE accounts SET password_hash = $2 WHERE id = $1', [person.id, outdated]);
      server.hang('UPDATE "accounts" SET "password_hash"');
      expect((await login(here, person)).status).toBe(503);
      const body = { currentPassword: person.password, newPassword: NEW_PASSWORD };
      const { token } = person;
      expect((await other.call('PUT', `${ME}/password`, body, { token })).status).toBe(204);
      await server.wake();
      expect((await login(other, person)).status).toBe(401);
      await other.login({ ...person, password: NEW_PASSWORD });
    });

    it('does not bring back the former settings of a stream of signals', async () => {
      const client = await RelyingParty.register(other);
      const { id } = await PolledStream.create(client);
      const change = (app: TestApp, description: string) => {
        const body = { stream_id: id, description };
        return callSignals(
          { ...client, app } as RelyingParty,
          'PATCH',
          'streams',
          body,
          client.authorization,
        );
      };
      server.hang('UPDATE "signal_streams"');
      expect((await change(here, 'first')).status).toBe(503);
      expect((await change(other, 'second')).status).toBe(200);
      await server.wake();
      const { body } = await callSignals(client, 'GET', `streams?stream_id=${id}`);
      expect(body).toMatchObject({ description: 'second' });
    });

    it('does not renew what another refresh has renewed', async () => {
      const person = await Person.signUp(other);
      server.hang('UPDATE grants');
      const { refreshToken } = person;
      expect((await here.post('refresh', { refreshToken })).status).toBe(503);
      const renewed = await other.post('refresh', { refreshToken });
      const next = String(renewed.body['refreshToken']);
      const further = await other.post('refresh', { refreshToken: next });
      await server.wake();
      const last = await other.post('refresh', { refreshToken: String(further.body['refreshToken']) });
      expect([renewed.status, further.status, last.status]).toEqual([200, 200, 200]);
    });

    it('does not revive a session that has ended', async () => {
      const person = await Person.signUp(other);
      const { refreshToken, token } = person;
      server.hang('UPDATE grants');
      expect((await here.post('refresh', { refreshToken })).status).toBe(503);
      expect((await other.post('logout', undefined, { token })).status).toBe(204);
      await server.wake();
      expect((await other.post('refresh', { refreshToken })).status).toBe(401);
      expect((await here.get(ME, token)).status).toBe(401);
    });
  });
});
