import { request } from 'node:http';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { FactorResetService } from '../../../src/authenticator/index.js';
import { FactorResetJob } from '../../../src/authenticator/reset/factor-reset-job.js';
import { SuspensionService } from '../../../src/iam/index.js';
import { SignalPusher } from '../../../src/extras/signals/delivery/signal-pusher.js';
import { SignalNews } from '../../../src/extras/signals/delivery/signal-news.js';
import { EndedSessionRepository } from '../../../src/extras/signals/events/ended-session.repository.js';
import { SignalStreamRepository } from '../../../src/extras/signals/streams/signal-stream.repository.js';
import { Database } from '../../../src/platform/database/index.js';
import { ClientService } from '../../../src/client/index.js';
import { LogoutService } from '../../../src/session/index.js';
import { ExpiredSessions } from '../../../src/session/sessions/expired-sessions.js';
import { age } from '../../support/ageing.js';
import { byTwoFactors, TestPasskey, TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator, TestSatellite } from '../../support/satellite.js';
import { SignalReceiver } from '../../support/signal-receiver.js';
import { callSignals, PolledStream, type Signal } from '../../support/signal-stream.js';
import { eventually, TestApp } from '../../support/test-app.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';

const ISSUER = 'http://gatehouse.test';
const ME = '/api/v1/iam/me';
const CAEP = 'https://schemas.openid.net/secevent/caep/event-type';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type';
const SESSION_REVOKED = `${CAEP}/session-revoked`;
const CREDENTIAL_CHANGE = `${CAEP}/credential-change`;
const VERIFICATION = 'https://schemas.openid.net/secevent/ssf/event-type/verification';
const PUSH = 'urn:ietf:rfc:8935';

describe('Signals', () => {
  let app: TestApp;
  let receiver: SignalReceiver;
  let own: RelyingParty;
  let foreign: RelyingParty;
  let person: Person;
  beforeAll(async () => {
    receiver = await SignalReceiver.start();
    app = await TestApp.start({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
    own = await RelyingParty.register(app);
    foreign = await RelyingParty.register(app, { firstParty: false, subjectType: 'pairwise' });
  });
  beforeEach(async () => {
    receiver.pushes.length = 0;
    receiver.status = 202;
    person = await Person.signUp(app);
  });
  afterEach(async () => {
    await app.sql('DELETE FROM signal_streams');
    await app.sql('DELETE FROM signal_ended_sessions'); // a new stream begins with them
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  const service = <T>(type: abstract new (...given: never[]) => T): T => app.app.get(type, { strict: false });
  const logout = ({ token }: Person) => app.post('logout', undefined, { token });
  const push = (client: RelyingParty, more: object = {}) =>
    callSignals(client, 'POST', 'streams', {
      delivery: { method: PUSH, endpoint_url: receiver.url, ...more },
    });
  /** A stream of one type of events. */
  const streamOf = (type: string, client = own) => PolledStream.create(client, { events_requested: [type] });
  const sessionOf = ({ sub_id }: Signal) => (sub_id['session'] as { id: string }).id;

  describe('at their configuration', () => {
    it('names the endpoints, which answer', async () => {
      const { body } = await app.get('/.well-known/ssf-configuration');
      expect(body).toEqual({
        spec_version: '1_0',
        issuer: ISSUER,
        jwks_uri: `${ISSUER}/.well-known/jwks.json`,
        delivery_methods_supported: [PUSH, 'urn:ietf:rfc:8936'],
        configuration_endpoint: `${ISSUER}/api/v1/signals/streams`,
        status_endpoint: `${ISSUER}/api/v1/signals/status`,
        verification_endpoint: `${ISSUER}/api/v1/signals/verification`,
        authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:7617' }],
        default_subjects: 'ALL',
      });
    });
  });

  describe('are managed by a client', () => {
    it('creates, reads, changes and deletes a stream', async () => {
      const asked = [
        SESSION_REVOKED,
        'https://schemas.openid.net/secevent/caep/event-type/token-claims-change',
      ];
      const created = await callSignals(own, 'POST', 'streams', {
        events_requested: asked,
        description: 'one',
      });
      const id = String(created.body['stream_id']);
      expect([created.status, created.body]).toEqual([
        201,
        {
          stream_id: id,
          iss: ISSUER,
          aud: own.clientId,
          delivery: {
            method: 'urn:ietf:rfc:8936',
            endpoint_url: `${ISSUER}/api/v1/signals/streams/${id}/events`,
          },
          events_supported: expect.arrayContaining([SESSION_REVOKED, `${RISC}/account-purged`]),
          events_requested: asked,
          events_delivered: [SESSION_REVOKED],
          min_verification_interval: 10,
          inactivity_timeout: 86_400,
          description: 'one',
        },
      ]);
      expect((await callSignals(own, 'GET', `streams?stream_id=${id}`)).body).toEqual(created.body);
      expect((await callSignals(own, 'GET', 'streams')).body).toEqual([created.body]);
      const delivery = { method: PUSH, endpoint_url: receiver.url, authorization_header: 'Bearer s3cret' };
      const changed = await callSignals(own, 'PATCH', 'streams', {
        stream_id: id,
        delivery,
        description: 'two',
      });
      expect(changed.body).toMatchObject({
        delivery: { method: PUSH, endpoint_url: receiver.url },
        events_requested: asked,
        description: 'two',
      });
      expect(JSON.stringify(changed.body)).not.toContain('s3cret');
      const replaced = await callSignals(own, 'PUT', 'streams', {
        stream_id: id,
        events_requested: [CREDENTIAL_CHANGE],
      });
      const { description: _, ...rest } = created.body;
      expect([replaced.status, replaced.body]).toEqual([
        200,
        { ...rest, events_requested: [CREDENTIAL_CHANGE], events_delivered: [CREDENTIAL_CHANGE] },
      ]);
      expect((await callSignals(own, 'DELETE', `streams?stream_id=${id}`)).status).toBe(204);
      expect((await callSignals(own, 'DELETE', `streams?stream_id=${id}`)).status).toBe(404);
      expect((await callSignals(own, 'GET', `streams?stream_id=${id}`)).status).toBe(404);
    });

    it('refuses who is no client with a secret, and the streams of another client', async () => {
      const { id } = await PolledStream.create(own);
      const native = await RelyingParty.register(app, { type: 'public' });
      const satellite = await TestSatellite.register(app);
      const basic = (clientId: string, secret: string) =>
        `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
      const disabled = await RelyingParty.register(app);
      await app.sql('UPDATE satellites SET disabled_at = now() WHERE client_id = $1', [disabled.clientId]);
      const calls = [
        ['POST', 'streams', {}],
        ['GET', 'streams'],
        ['PATCH', 'streams', { stream_id: id }],
        ['PUT', 'streams', { stream_id: id }],
        ['DELETE', `streams?stream_id=${id}`],
        ['GET', `status?stream_id=${id}`],
        ['POST', 'status', { stream_id: id, status: 'disabled' }],
        ['POST', 'verification', { stream_id: id }],
        ['POST', `streams/${id}/events`, { returnImmediately: true }],
      ] as const;
      for (const [method, path, body] of calls) {
        for (const authorization of [
          null,
          basic(own.clientId, 'wrong'),
          `Bearer ${person.token}`,
          basic(native.clientId, ''),
          basic(satellite.clientId, satellite.clientSecret),
          disabled.authorization,
        ]) {
          const { status, headers } = await callSignals(own, method, path, body, authorization);
          expect([method, path, status]).toEqual([method, path, 401]);
          expect(headers.get('www-authenticate')).toBe('Basic realm="Gatehouse"');
        }
        if (path === 'streams' && method !== 'PATCH' && method !== 'PUT') continue;
        expect((await callSignals(foreign, method, path, body)).status).toBe(404);
      }
      expect((await callSignals(own, 'GET', `status?stream_id=${id}`)).body).toEqual({
        stream_id: id,
        status: 'enabled',
      });
    });

    it('refuses two Authorization headers', async () => {
      const statusOf = (authorization: readonly string[]) =>
        new Promise<number | undefined>((resolve, reject) => {
          request(`${app.url}/api/v1/signals/streams`, { headers: { authorization: authorization as never } })
            .once('response', (answer) => resolve(answer.resume().statusCode))
            .once('error', reject)
            .end();
        });
      expect(await statusOf([own.authorization])).toBe(200);
      expect(await statusOf([own.authorization, own.authorization])).toBe(401);
    });

    it('refuses addresses that events must not be pushed to', async () => {
      for (const endpoint_url of [
        undefined,
        'http://orders.example.com/signals',
        'https://10.0.0.1/signals',
        'https://user@orders.example.com/signals',
      ])
        expect((await push(own, { endpoint_url })).status).toBe(400);
    });

    it('refuses a header that cannot be sent, and finds nothing by ids that cannot be', async () => {
      expect((await push(own, { authorization_header: 'Bearer \u20ac' })).status).toBe(400);
      const poll = { returnImmediately: true };
      expect((await callSignals(own, 'POST', 'streams/%00/events', poll)).status).toBe(404);
      const stream = await PolledStream.create(own);
      expect(await stream.poll({ ...poll, setErrs: { '\0': { err: 'invalid_key' } } })).toEqual({});
    });

    it('has at most 20 streams also if they are created at once', async () => {
      const all = await Promise.all(
        Array.from({ length: 25 }, () => callSignals(own, 'POST', 'streams', {})),
      );
      expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
    });

    it('has at most 20 streams, and replaces one that is left behind', async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => PolledStream.create(own)));
      expect((await callSignals(own, 'POST', 'streams', {})).status).toBe(409);
      await age(app, 'signal_streams', 600, 'id = $1', [all[7]?.id]);
      expect((await callSignals(own, 'POST', 'streams', {})).status).toBe(201);
      expect((await callSignals(own, 'GET', `status?stream_id=${all[7]?.id}`)).status).toBe(404);
    });
  });

  describe('tell that a session was revoked,', () => {
    it('by a token of the issuer, for the client, that does not expire', async () => {
      const stream = await streamOf(SESSION_REVOKED);
      const before = Math.floor(Date.now() / 1_000);
      await logout(person);
      const [signal] = await stream.waitFor(1);
      const keys = (await app.get('/.well-known/jwks.json')).body as never;
      const { payload, protectedHeader } = await jwtVerify(stream.tokens[0] ?? '', createLocalJWKSet(keys), {
        issuer: ISSUER,
        audience: own.clientId,
        typ: 'secevent+jwt',
        algorithms: ['RS256'],
      });
      expect(payload).toEqual({
        iss: ISSUER,
        aud: own.clientId,
        iat: expect.any(Number),
        jti: signal?.jti,
        sub_id: {
          format: 'complex',
          user: { format: 'iss_sub', iss: ISSUER, sub: person.id },
          session: { format: 'opaque', id: person.sessionId },
        },
        events: { [SESSION_REVOKED]: { event_timestamp: expect.any(Number) } },
      });
      expect(Number(signal?.events[SESSION_REVOKED]?.['event_timestamp'])).toBeGreaterThanOrEqual(before);
      expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid', 'typ']);
    });

    it.each<[string, (ended: Person) => Promise<unknown>]>([
      ['a logout', logout],
      ['a logout from all devices', ({ token }) => app.post('logout-all', undefined, { token })],
      [
        'a logout from other devices',
        async (ended) => app.post('logout-others', undefined, { token: (await Person.again(ended)).token }),
      ],
      [
        'the end of one session from another',
        async (ended) => {
          const { token } = await Person.again(ended);
          return app.call('DELETE', `${ME}/sessions/${ended.sessionId}`, undefined, { token });
        },
      ],
      [
        'a change of the password',
        async (ended) => {
          const { token } = await Person.again(ended);
          const body = { currentPassword: ended.password, newPassword: 'another-harbour-43' };
          return app.call('PUT', `${ME}/password`, body, { token });
        },
      ],
      [
        'a reset of the password',
        async ({ email }) => {
          await app.post('request-password-reset', { email });
          const token = await app.mailedToken(email, 2);
          return app.post('reset-password', { token, newPassword: 'another-harbour-43' });
        },
      ],
      ['a suspension', async ({ id }) => service(SuspensionService).suspend(id as never)],
      ['an erasure', ({ token }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })],
      [
        'the reuse of a refresh token',
        async ({ refreshToken }) => {
          const refresh = (token: string) => app.post('refresh', { refreshToken: token });
          const second = String((await refresh(refreshToken)).body['refreshToken']);
          await refresh(second);
          await refresh(refreshToken);
        },
      ],
      [
        'the removal from a directory',
        async ({ id, sessionId }) => {
          await app.sql(
            "INSERT INTO session_evidence (session_id, method, connection_id, acr) VALUES ($1, 'oidc', 'main', 'aal1')",
            [sessionId],
          );
          await service(LogoutService).endSessionsByConnections(id as never, ['main']);
        },
      ],
      [
        'the end of its time',
        async ({ id }) => {
          await age(app, 'sessions', 400 * 86_400, 'account_id = $1', [id]);
          await service(ExpiredSessions).cleanUp();
        },
      ],
    ])('after %s', async (_, end) => {
      const stream = await streamOf(SESSION_REVOKED);
      await end(person);
      const [signal] = await stream.waitFor(1);
      expect(signal && sessionOf(signal)).toBe(person.sessionId);
    });

    it('to a third party only of its own visitors, by the name under which it knows them', async () => {
      const stream = await streamOf(SESSION_REVOKED, foreign);
      const stranger = await Person.signUp(app);
      const tokens = await foreign.signIn(person.token);
      await logout(stranger);
      await logout(person);
      const signals = await stream.waitFor(1);
      expect(signals.map(({ sub_id }) => sub_id)).toEqual([
        {
          format: 'complex',
          user: { format: 'iss_sub', iss: ISSUER, sub: tokens.claims()?.sub },
          session: { format: 'opaque', id: tokens.claims()?.['sid'] },
        },
      ]);
      expect(tokens.claims()?.['sid']).not.toBe(person.sessionId);
      expect(tokens.claims()?.sub).not.toBe(person.id);
    });

    it('not to a disabled client: nothing waits for it', async () => {
      const disabled = await RelyingParty.register(app);
      const stream = await streamOf(SESSION_REVOKED, disabled);
      const others = await streamOf(SESSION_REVOKED);
      await service(ClientService).disable(null, disabled.clientId);
      await logout(person);
      await others.waitFor(1);
      expect(await app.sql('SELECT 1 FROM signal_events WHERE stream_id = $1', [stream.id])).toEqual([]);
    });

    it('to a client of one organization only of its own visitors', async () => {
      const { id, owner } = await Organization.found(app);
      const client = await RelyingParty.register(app, { tenantId: id } as object);
      const stream = await streamOf(SESSION_REVOKED, client);
      await logout(person);
      const visitor = await Person.again(owner.person);
      await client.signIn(visitor.token);
      await logout(visitor);
      expect((await stream.waitFor(1)).map(sessionOf)).toEqual([visitor.sessionId]);
    });

    it('to a stream that begins after it, while its tokens are valid', async () => {
      await logout(person);
      const old = await Person.signUp(app);
      await logout(old);
      await age(app, 'signal_ended_sessions', 700, 'session_id = $1', [old.sessionId]);
      const stream = await streamOf(SESSION_REVOKED);
      const told = (await stream.waitFor(1)).map(sessionOf);
      expect(told).toContain(person.sessionId);
      expect(told).not.toContain(old.sessionId);
    });

    it('to a stream that begins after it, also of an erased person, whom it does not name', async () => {
      await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token });
      const stream = await streamOf(SESSION_REVOKED);
      const [signal] = await stream.waitFor(1);
      expect(signal?.sub_id).toEqual({
        format: 'complex',
        session: { format: 'opaque', id: person.sessionId },
      });
    });

    it('to a stream that is created at the same time, once', async () => {
      const other = await Person.again(person);
      let created: Promise<PolledStream>;
      await service(Database).transaction(async () => {
        await service(LogoutService).endSession(person.id as never, person.sessionId as never);
        created = streamOf(SESSION_REVOKED);
        await eventually('the stream is there', async () => {
          return (await app.sql('SELECT 1 FROM signal_streams')).length === 1;
        });
      });
      const stream = await created!;
      await logout(other);
      expect((await stream.waitFor(2)).map(sessionOf)).toEqual([person.sessionId, other.sessionId]);
    });

    it.each([
      ['PATCH', { events_requested: [SESSION_REVOKED] }],
      ['PUT', {}],
    ])('to a stream that asks for it from now on, by %s', async (method, changes) => {
      const stream = await streamOf(CREDENTIAL_CHANGE);
      await logout(person);
      const change = () => callSignals(own, method, 'streams', { stream_id: stream.id, ...changes });
      jest.spyOn(service(EndedSessionRepository), 'waitForEnding').mockResolvedValueOnce(false);
      expect((await change()).status).toBe(503);
      expect((await change()).status).toBe(200);
      expect((await change()).status).toBe(200);
      expect((await stream.waitFor(1)).map(sessionOf)).toEqual([person.sessionId]);
    });

    it('not to a stream that cannot know: it is not created', async () => {
      jest.spyOn(service(EndedSessionRepository), 'waitForEnding').mockResolvedValueOnce(false);
      expect((await callSignals(own, 'POST', 'streams', {})).status).toBe(503);
      jest.spyOn(service(EndedSessionRepository), 'findRecent').mockRejectedValueOnce(new Error('lost'));
      expect((await callSignals(own, 'POST', 'streams', {})).status).toBe(500);
      expect(await app.sql('SELECT 1 FROM signal_streams')).toEqual([]);
    });
  });

  describe('tell of accounts:', () => {
    const changesOf = (signals: readonly Signal[]) =>
      signals.map(({ events, sub_id }) => {
        expect(sub_id).toEqual({ format: 'iss_sub', iss: ISSUER, sub: person.id });
        const { event_timestamp: _, ...change } = events[CREDENTIAL_CHANGE] ?? {};
        return change;
      });

    it('changes of credentials', async () => {
      const stream = await streamOf(CREDENTIAL_CHANGE);
      const totp = await TestTotp.enrol(app, person.token);
      const token = byTwoFactors(app, person.token);
      await TestPasskey.enrol(app, token);
      const strong = { token };
      await app.call('DELETE', `${ME}/authenticators/${totp.id}`, undefined, strong);
      const body = { currentPassword: person.password, newPassword: 'another-harbour-43' };
      await app.call('PUT', `${ME}/password`, body, strong);
      const isOwn = ({ sub_id }: Signal) => sub_id['sub'] === person.id;
      expect(changesOf(await stream.waitFor(4, isOwn))).toEqual([
        { credential_type: 'app', change_type: 'create' },
        { credential_type: 'fido2-roaming', change_type: 'create' },
        { credential_type: 'app', change_type: 'delete' },
        { credential_type: 'password', change_type: 'update' },
      ]);
    });

    it('factors that are removed after a loss, and a password that an operator removes', async () => {
      const stream = await streamOf(CREDENTIAL_CHANGE);
      const operator = byTwoFactors(app, (await signUpOperator(app)).token);
      await TestTotp.enrol(app, person.token);
      const userId = person.id as never;
      await service(FactorResetService).schedule(null, userId, 'Lost phone');
      const due = 'UPDATE factor_resets SET effective_at = now() WHERE account_id = $1 RETURNING id';
      const [{ id = '' } = {}] = await app.sql<{ id: string }>(due, [userId]);
      await service(FactorResetJob).carryOut({ userId, id });
      const path = `/api/v1/operator/people/${person.id}/require-new-password`;
      expect((await app.call('POST', path, undefined, { token: operator })).status).toBe(204);
      const isOwn = ({ sub_id }: Signal) => sub_id['sub'] === person.id;
      expect(changesOf(await stream.waitFor(3, isOwn))).toEqual([
        { credential_type: 'app', change_type: 'create' },
        { credential_type: 'app', change_type: 'revoke' },
        { credential_type: 'password', change_type: 'delete' },
      ]);
    });

    it('not to a client from which the person has withdrawn', async () => {
      const stream = await streamOf(CREDENTIAL_CHANGE, foreign);
      const operators = await streamOf(CREDENTIAL_CHANGE);
      await foreign.signIn(person.token);
      const path = `${ME}/authorized-apps/${foreign.clientId}`;
      await app.call('DELETE', path, undefined, { token: person.token });
      await TestTotp.enrol(app, person.token);
      await operators.waitFor(1, ({ sub_id }) => sub_id['sub'] === person.id);
      expect(await stream.poll()).toEqual({});
    });

    it('not to the client of an organization that the person has left, but of an erasure', async () => {
      const organization = await Organization.found(app);
      const client = await RelyingParty.register(app, { tenantId: organization.id as never });
      const purged = `${RISC}/account-purged`;
      const stream = await PolledStream.create(client, { events_requested: [CREDENTIAL_CHANGE, purged] });
      const operators = await streamOf(CREDENTIAL_CHANGE);
      const { person: member } = await organization.join('member');
      await client.signIn(await member.select(organization.id));
      await organization.call('DELETE', `/members/${member.id}`);
      await TestTotp.enrol(app, member.token);
      await operators.waitFor(1, ({ sub_id }) => sub_id['sub'] === member.id);
      expect(await stream.poll()).toEqual({});
      const token = byTwoFactors(app, member.token);
      expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
      const [signal] = await stream.waitFor(1);
      expect([signal?.sub_id['sub'], Object.keys(signal?.events ?? {})]).toEqual([member.id, [purged]]);
    });

    it('a stronger sign-in, once', async () => {
      const stream = await streamOf(`${CAEP}/assurance-level-change`);
      const totp = await TestTotp.enrol(app, person.token);
      const again = await Person.signUp(app);
      await TestTotp.enrol(app, again.token);
      await app.post('step-up', { method: 'totp', code: totp.next() }, { token: person.token });
      const signals = await stream.waitFor(2);
      expect(signals.map(sessionOf)).toEqual([person.sessionId, again.sessionId]);
      expect(signals[0]?.events[`${CAEP}/assurance-level-change`]).toEqual({
        event_timestamp: expect.any(Number),
        namespace: 'NIST-AAL',
        current_level: 'nist-aal2',
        previous_level: 'nist-aal1',
        change_direction: 'increase',
      });
    });

    it('a step-up by a second factor, and none by the password', async () => {
      const stream = await streamOf(`${CAEP}/assurance-level-change`);
      const other = await Person.again(person);
      const stepUp = async (body: object) =>
        expect((await app.post('step-up', body, { token: other.token })).status).toBe(200);
      await stepUp({ method: 'password', password: person.password });
      const totp = await TestTotp.enrol(app, person.token);
      await stepUp({ method: 'totp', code: totp.next() });
      expect((await stream.waitFor(2)).map(sessionOf)).toEqual([person.sessionId, other.sessionId]);
    });

    it('a suspension', async () => {
      const stream = await streamOf(`${RISC}/account-disabled`);
      await service(SuspensionService).suspend(person.id as never);
      const [signal] = await stream.waitFor(1);
      expect(signal?.sub_id).toEqual({ format: 'iss_sub', iss: ISSUER, sub: person.id });
    });

    it('an erasure, also to a third party by the name under which it knew the person', async () => {
      const stream = await streamOf(`${RISC}/account-purged`);
      const theirs = await streamOf(`${RISC}/account-purged`, foreign);
      const stranger = await Person.signUp(app);
      const tokens = await foreign.signIn(person.token);
      for (const { token } of [stranger, person])
        await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
      const signals = await stream.waitFor(2);
      expect(signals.map(({ sub_id }) => sub_id['sub'])).toEqual([stranger.id, person.id]);
      const purged = await theirs.waitFor(1);
      expect(purged.map(({ sub_id }) => sub_id['sub'])).toEqual([tokens.claims()?.sub]);
    });
  });

  describe('that are polled', () => {
    it('come again until they are acknowledged or refused', async () => {
      const stream = await streamOf(SESSION_REVOKED);
      await logout(person);
      await logout(await Person.signUp(app));
      const sets = await stream.poll();
      const [first = '', second = ''] = Object.keys(sets);
      expect(Object.keys(await stream.poll())).toEqual([first, second]);
      const one = await callSignals(own, 'POST', `streams/${stream.id}/events`, {
        maxEvents: 1,
        returnImmediately: true,
      });
      expect([Object.keys(one.body['sets'] as object), one.body['moreAvailable']]).toEqual([[first], true]);
      expect(Object.keys(await stream.poll({ ack: [first], returnImmediately: true }))).toEqual([second]);
      const setErrs = { [second]: { err: 'invalid_key', description: 'unknown' } };
      expect(await stream.poll({ setErrs, returnImmediately: true })).toEqual({});
    });

    it('come as soon as they happen to a request that waits', async () => {
      const stream = await streamOf(SESSION_REVOKED);
      const waiting = stream.poll({});
      await eventually('the request waits', () => service(SignalNews)['waiting'].has(stream.id));
      await logout(person);
      expect(Object.keys(await waiting)).toHaveLength(1);
    });

    it('are held while the stream is paused, and lost while it is disabled', async () => {
      const stream = await streamOf(SESSION_REVOKED);
      const set = (status: string) =>
        callSignals(own, 'POST', 'status', { stream_id: stream.id, status, reason: 'a test' });
      expect((await set('paused')).body).toEqual({
        stream_id: stream.id,
        status: 'paused',
        reason: 'a test',
      });
      await logout(person);
      expect(await stream.poll()).toEqual({});
      await set('enabled');
      expect(Object.keys(await stream.poll())).toHaveLength(1);
      await set('disabled');
      await logout(await Person.signUp(app));
      await set('enabled');
      expect(await stream.poll()).toEqual({});
    });

    it('include a verification with the state of the receiver, and not two at once', async () => {
      const stream = await streamOf(SESSION_REVOKED);
      const verify = () => callSignals(own, 'POST', 'verification', { stream_id: stream.id, state: 'abc' });
      expect((await verify()).status).toBe(204);
      const again = await verify();
      expect([again.status, again.headers.get('retry-after')]).toEqual([429, '10']);
      const [signal] = await stream.waitFor(1);
      expect(signal).toMatchObject({
        sub_id: { format: 'opaque', id: stream.id },
        events: { [VERIFICATION]: { state: 'abc' } },
      });
    });
  });

  describe('that are pushed', () => {
    it('come in order, with the header of the receiver', async () => {
      await push(own, { authorization_header: 'Bearer s3cret' });
      const second = await Person.again(person);
      await logout(person);
      await logout(second);
      const pushes = await receiver.waitFor(2);
      expect(pushes.map(({ contentType, authorization }) => [contentType, authorization])).toEqual(
        Array.from({ length: 2 }, () => ['application/secevent+jwt', 'Bearer s3cret']),
      );
      const sessions = pushes.map(({ token }) => sessionOf(claimsOf(token)));
      expect(sessions).toEqual([person.sessionId, second.sessionId]);
      expect(JSON.stringify(await app.sql('SELECT * FROM signal_streams'))).not.toContain('s3cret');
    });

    it('are sent again until they are accepted, the first one first', async () => {
      receiver.status = 503;
      await push(own, {});
      const second = await Person.again(person);
      await logout(person);
      await receiver.waitFor(1);
      await logout(second);
      await eventually('the failure is recorded', async () => {
        const failed = await app.sql(
          'SELECT 1 FROM signal_streams WHERE attempts > 0 AND lease_until IS NULL',
        );
        return failed.length === 1;
      });
      receiver.status = 202;
      await app.sql('UPDATE signal_streams SET due_at = now()');
      await eventually('all are sent', async () => {
        return (await app.sql('SELECT 1 FROM signal_events')).length === 0;
      });
      const sessions = receiver.pushes.map(({ token }) => sessionOf(claimsOf(token)));
      expect(sessions[0]).toBe(person.sessionId);
      expect(sessions.slice(-2)).toEqual([person.sessionId, second.sessionId]);
    });

    it('are dropped if the receiver refuses them, so that the next ones come', async () => {
      receiver.status = 400;
      await push(own);
      await logout(person);
      await receiver.waitFor(1);
      await eventually(
        'it is dropped',
        async () => (await app.sql('SELECT 1 FROM signal_events')).length === 0,
      );
      receiver.status = 202;
      await logout(await Person.signUp(app));
      await receiver.waitFor(2);
    });
  });

  it('keep a stream that is polled from now on', async () => {
    const { body } = await push(own);
    await age(app, 'signal_streams', 90_000);
    const delivery = { method: 'urn:ietf:rfc:8936' };
    await callSignals(own, 'PATCH', 'streams', { stream_id: body['stream_id'], delivery });
    await service(CleanupService).run();
    expect(await app.sql('SELECT id FROM signal_streams')).toEqual([{ id: body['stream_id'] }]);
  });

  it('remove streams that are not polled, and events that are not taken', async () => {
    const stream = await streamOf(SESSION_REVOKED);
    const kept = await push(own);
    receiver.status = 503;
    await logout(person);
    await age(app, 'signal_streams', 90_000);
    await age(app, 'signal_events', 8 * 86_400);
    await service(CleanupService).run();
    expect(await app.sql('SELECT id FROM signal_streams')).toEqual([{ id: kept.body['stream_id'] }]);
    expect(await app.sql('SELECT 1 FROM signal_events')).toEqual([]);
    expect(stream.id).not.toBe(kept.body['stream_id']);
  });

  it('end with the client', async () => {
    const client = await RelyingParty.register(app);
    await streamOf(SESSION_REVOKED, client);
    await logout(person);
    await app.sql('DELETE FROM satellites WHERE client_id = $1', [client.clientId]);
    expect(await app.sql('SELECT 1 FROM signal_events')).toEqual([]);
  });

  it('are claimed for streams in which some wait, by one replica at a time', async () => {
    const streams = await Promise.all(Array.from({ length: 3 }, () => push(own)));
    const ids = streams.map(({ body }) => String(body['stream_id'])).toSorted();
    await app.app.get(SignalPusher, { strict: false }).beforeApplicationShutdown(); // the test claims
    await app.sql(
      "INSERT INTO signal_events (id, stream_id, type, details) SELECT id, id, 'x', '{}' FROM unnest($1::text[]) AS id",
      [ids.slice(0, 2)],
    );
    const repository = service(SignalStreamRepository);
    const claimed = async () => (await repository.claim(ids, 10)).map(({ id }) => id).toSorted();
    const listed = async (after: string) => (await repository.listDue(after, 10)).map(({ id }) => id);
    expect([await listed(''), await listed(ids[0] ?? '')]).toEqual([ids.slice(0, 2), ids.slice(1, 2)]);
    const both = await Promise.all([claimed(), claimed()]);
    expect(both.flat().toSorted()).toEqual(ids.slice(0, 2));
    expect([await claimed(), await listed('')]).toEqual([[], []]);
  });
});

const claimsOf = (token: string): Signal =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Signal;
