import { decodeJwt } from 'jose';
import { SESSION_REVOKED } from '../../../src/extras/signals/signal-types.js';
import { ClientService } from '../../../src/client/index.js';
import type { TenantId } from '../../../src/kernel/index.js';
import { LogoutReceiver } from '../../support/logout-receiver.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty, type RelyingPartyTokens } from '../../support/relying-party.js';
import { PolledStream, type Signal } from '../../support/signal-stream.js';
import { TestSatellite } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const HOME = 'https://rp.example/bye';
const THIRD = { firstParty: false, postLogoutRedirectUris: [HOME] };

describe('Names of sessions (sid)', () => {
  let ada: Person;
  const app = withApp({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
  beforeEach(async () => {
    ada = await Person.signUp(app);
  });

  const sidOf = (token: string | undefined) => String(decodeJwt(String(token))['sid']);
  /** Each `sid` that a client sees with its tokens. */
  const sidsOf = async (party: RelyingParty, tokens: RelyingPartyTokens): Promise<string[]> => {
    const { access_token: access, refresh_token: refresh = '', id_token: id } = tokens;
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const { body: next } = await party.post('/oauth2/token', form);
    const states = [access, refresh].map((token) => party.post('/oauth2/introspect', { token }));
    const shown = (await Promise.all(states)).map(({ body }) => String(body['sid']));
    return [access, id, String(next['access_token']), String(next['id_token'])].map(sidOf).concat(shown);
  };
  const signOut = async (query: Record<string, string>) => {
    const url = `${app.url}/oauth2/logout?${new URLSearchParams(query)}`;
    return (await fetch(url, { redirect: 'manual' })).headers.get('location');
  };
  const isSignedIn = async (token = ada.token) => (await app.get(ME, token)).status === 200;

  it('differ at two clients with pairwise subjects, and are the same in all that one sees', async () => {
    const parties = [await RelyingParty.register(app, THIRD), await RelyingParty.register(app, THIRD)];
    const seen: Set<string>[] = [];
    for (const party of parties)
      seen.push(
        new Set(await sidsOf(party, await party.signIn(ada.token))).add(
          sidOf((await party.signIn(ada.token)).id_token),
        ),
      );
    expect(seen.map(({ size }) => size)).toEqual([1, 1]);
    const [one, other] = seen.flatMap((all) => [...all]);
    expect(one).toMatch(/^[\w-]{22}$/);
    expect(new Set([one, other, ada.sessionId]).size).toBe(3);
  });

  it('differ at two clients of one host, which share the identifiers of people', async () => {
    const at = (uri: string) => ({ ...THIRD, redirectUris: [uri] });
    const parties = [
      await RelyingParty.register(app, at('https://shop.example/a')),
      await RelyingParty.register(app, at('https://shop.example/b')),
    ];
    const tokens = [await parties[0]?.signIn(ada.token), await parties[1]?.signIn(ada.token)];
    const claims = tokens.map((one) => decodeJwt(String(one?.id_token)));
    expect(new Set(claims.map(({ sub }) => sub)).size).toBe(1);
    expect(new Set(claims.map(({ sid }) => sid)).size).toBe(2);
  });

  it('and of people differ at the client of an organization, also on the host of another one', async () => {
    const { owner, id: tenantId } = await Organization.found(app);
    const at = { ...THIRD, redirectUris: ['https://apps.example/callback'] };
    const parties = [
      await RelyingParty.register(app, at),
      await RelyingParty.register(app, { ...at, tenantId: tenantId as TenantId }),
      await RelyingParty.register(app, { ...at, tenantId: tenantId as TenantId }),
    ];
    const subjects = new Set<unknown>();
    for (const party of parties)
      subjects.add(decodeJwt(String((await party.signIn(owner.token)).id_token)).sub);
    expect(subjects.size).toBe(3);
  });

  it('do not let a client read the id of account or session from its tokens', async () => {
    const party = await RelyingParty.register(app, THIRD);
    const { access_token: access, id_token: id = '' } = await party.signIn(ada.token);
    for (const token of [access, id])
      for (const known of [ada.id, ada.sessionId])
        expect(JSON.stringify(decodeJwt(token))).not.toContain(known);
    expect((await app.get('/oauth2/userinfo', access)).status).toBe(200);
    await app.post('logout', undefined, { token: ada.token });
    expect((await app.get('/oauth2/userinfo', access)).status).toBe(401);
  });

  it('are the id of the session for clients of the operator, satellites and the app', async () => {
    const party = await RelyingParty.register(app);
    const sids = await sidsOf(party, await party.signIn(ada.token));
    const { accessToken } = await (await TestSatellite.register(app)).signIn(ada.token);
    expect(new Set([...sids, sidOf(accessToken), sidOf(ada.token)])).toEqual(new Set([ada.sessionId]));
  });

  it('are those of the tokens in the logout tokens of each client', async () => {
    const receivers = [await LogoutReceiver.start(), await LogoutReceiver.start()];
    try {
      const told: string[] = [];
      for (const receiver of receivers) {
        const party = await RelyingParty.register(app, { ...THIRD, backchannelLogoutUri: receiver.url });
        told.push(sidOf((await party.signIn(ada.token)).id_token));
      }
      await app.post('logout', undefined, { token: ada.token });
      const tokens = await Promise.all(receivers.map((receiver) => receiver.waitFor(1)));
      expect(tokens.map(([token]) => sidOf(token))).toEqual(told);
      expect(new Set(told).size).toBe(2);
    } finally {
      await Promise.all(receivers.map((receiver) => receiver.stop()));
    }
  });

  it('let a client end the session by its hint, of the person’s sessions that one', async () => {
    const party = await RelyingParty.register(app, THIRD);
    const other = await Person.again(ada);
    const { id_token: hint = '' } = await party.signIn(ada.token);
    await party.signIn(other.token);
    const query = { id_token_hint: hint, post_logout_redirect_uri: HOME };
    expect(await signOut(query)).toBe(HOME);
    expect([await isSignedIn(), await isSignedIn(other.token)]).toEqual([false, true]);
    // By a hint of a session that has ended nothing ends.
    expect(await signOut(query)).toContain('/sign-out?');
    expect(await isSignedIn(other.token)).toBe(true);
  });

  it('of a disabled client end nothing', async () => {
    const party = await RelyingParty.register(app, THIRD);
    const { id_token: hint = '' } = await party.signIn(ada.token);
    await app.app.get(ClientService, { strict: false }).disable(null, party.clientId);
    expect(await signOut({ id_token_hint: hint })).toContain('/sign-out');
    expect(await isSignedIn()).toBe(true);
  });

  it('stay the id for a client that was registered before, in sessions of before', async () => {
    const receiver = await LogoutReceiver.start();
    try {
      const party = await RelyingParty.register(app, { ...THIRD, backchannelLogoutUri: receiver.url });
      const since = 'UPDATE satellites SET sid_key_since = now() + $2::interval WHERE client_id = $1';
      await app.sql(since, [party.clientId, '1 minute']);
      const { id_token: hint = '', access_token: access } = await party.signIn(ada.token);
      expect([sidOf(hint), sidOf(access)]).toEqual([ada.sessionId, ada.sessionId]);
      expect((await app.get('/oauth2/userinfo', access)).status).toBe(200);
      expect(await signOut({ id_token_hint: hint, post_logout_redirect_uri: HOME })).toBe(HOME);
      expect(sidOf((await receiver.waitFor(1))[0])).toBe(ada.sessionId);
      const later = await RelyingParty.register(app, THIRD);
      await app.sql(since, [later.clientId, '-1 minute']);
      expect(sidOf((await later.signIn((await Person.again(ada)).token)).id_token)).toMatch(/^[\w-]{22}$/);
    } finally {
      await receiver.stop();
    }
  });

  it('are told by signals: to a third party its own, to the operator those of every token', async () => {
    const parties = [await RelyingParty.register(app, THIRD), await RelyingParty.register(app, THIRD)];
    const own = await RelyingParty.register(app);
    const streams = await Promise.all(
      [...parties, own].map((party) => PolledStream.create(party, { events_requested: [SESSION_REVOKED] })),
    );
    const sids: string[] = [];
    for (const party of parties) sids.push(sidOf((await party.signIn(ada.token)).access_token));
    await app.post('logout', undefined, { token: ada.token });
    const all = [ada.sessionId, ...sids].sort();
    const nameIn = ({ sub_id }: Signal) => (sub_id['session'] as { id: string }).id;
    const told = async (stream: PolledStream | undefined, count: number) =>
      ((await stream?.waitFor(count, (signal) => all.includes(nameIn(signal)))) ?? []).map(nameIn).sort();
    expect(await told(streams[0], 1)).toEqual([sids[0]]);
    expect(await told(streams[1], 1)).toEqual([sids[1]]);
    expect(await told(streams[2], 3)).toEqual(all);
    // A new stream begins with the sessions that have ended, those of an erased person too.
    await app.sql('DELETE FROM sessions WHERE id = $1', [ada.sessionId]);
    const late = await PolledStream.create(own, { events_requested: [SESSION_REVOKED] });
    expect(await told(late, 3)).toEqual(all);
  });
});
