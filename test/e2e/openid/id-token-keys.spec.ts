import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { refreshTokenGrant } from 'openid-client';
import { RsaKeys } from '../../../src/session/index.js';
import { ClientService } from '../../../src/client/index.js';
import { age } from '../../support/ageing.js';
import { Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

type JwkSet = Parameters<typeof createLocalJWKSet>[0];

describe('Keys of ID tokens', () => {
  let keys: RsaKeys;
  const app = withApp();
  beforeAll(async () => {
    keys = app.app.get(RsaKeys, { strict: false });
  });

  const stored = () => app.sql<{ kid: string }>('SELECT kid FROM id_token_keys');
  const published = async () => {
    const { body, headers } = await app.get('/.well-known/jwks.json');
    const maxAge = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]);
    return { jwks: body as unknown as JwkSet, maxAge };
  };
  const rsaKids = async () =>
    (await published()).jwks.keys.filter(({ alg }) => alg === 'RS256').map(({ kid }) => kid);

  it('do not exist before a client needs one', async () => {
    expect(await stored()).toEqual([]);
    await RelyingParty.register(app, { idTokenAlg: 'ES256' });
    expect(await stored()).toEqual([]);
    expect(await rsaKids()).toEqual([]);
    // Caches must not lack the first key when its client signs people in.
    expect((await published()).maxAge).toBe(5);
  });

  it('are published with the registration of the first client, before a sign-in: one of them', async () => {
    const parties = await Promise.all(Array.from({ length: 5 }, () => RelyingParty.register(app)));
    const kids = await rsaKids();
    expect(kids).toHaveLength(1);
    const { jwks, maxAge } = await published();
    expect(maxAge).toBe(300);
    const person = await Person.signUp(app);
    for (const party of parties.slice(0, 2)) {
      const { id_token: idToken = '' } = await party.signIn(person.token);
      expect(decodeProtectedHeader(idToken).kid).toBe(kids[0]);
      await jwtVerify(idToken, createLocalJWKSet(jwks));
    }
  });

  it('are published when a client changes to them, and at a start with clients that need them', async () => {
    const remove = async () => {
      await app.sql('DELETE FROM id_token_keys');
      readAgain();
      await app.sql("UPDATE satellites SET id_token_alg = 'ES256', access_token_alg = 'ES256'");
    };
    await remove();
    await keys.onApplicationBootstrap();
    expect(await stored()).toEqual([]);
    const { clientId } = await RelyingParty.register(app, { idTokenAlg: 'ES256' });
    const satellites = app.app.get(ClientService, { strict: false });
    await satellites.update(null, clientId, { idTokenAlg: 'RS256' });
    expect(await stored()).toHaveLength(1);
    await remove();
    await satellites.update(null, clientId, { accessTokenAlg: 'RS256', idTokenAlg: 'ES256' });
    expect(await stored()).toHaveLength(1);
    for (const column of ['id_token_alg', 'access_token_alg']) {
      await remove();
      await app.sql(`UPDATE satellites SET ${column} = 'RS256' WHERE client_id = $1`, [clientId]);
      await keys.onApplicationBootstrap();
      expect(await rsaKids()).toEqual((await stored()).map(({ kid }) => kid));
      expect(await rsaKids()).toHaveLength(1);
    }
  });

  it('verify tokens while the database does not answer', async () => {
    const party = await RelyingParty.register(app, { accessTokenAlg: 'RS256' });
    const { access_token: token } = await party.signIn((await Person.signUp(app)).token);
    const kid = String(decodeProtectedHeader(token).kid);
    readAgain();
    const repository = (keys as unknown as { stored: { findAll(): Promise<never> } }).stored;
    const failing = jest.spyOn(repository, 'findAll').mockRejectedValue(new Error('no database'));
    expect(await keys.find(kid)).not.toBeNull();
    readAgain();
    await expect(keys.find('unknown')).rejects.toThrow('no database');
    failing.mockRestore();
    readAgain();
    expect(await keys.find('unknown')).toBeNull();
  });

  it('rotate during traffic without a failure at clients that cache them as they are told', async () => {
    const STEP_SECONDS = 100;
    const party = await RelyingParty.register(app);
    const person = await Person.signUp(app);
    const { refresh_token: token = '' } = await party.signIn(person.token);
    // One client that has just read the keys at each moment of their validity.
    const caches: { readAt: number; jwks: JwkSet }[] = [];
    const kids: unknown[] = [];
    for (let now = 0; now < 1_200; now += STEP_SECONDS) {
      const { jwks, maxAge } = await published();
      expect(maxAge).toBe(300);
      if (caches.length < maxAge / STEP_SECONDS) caches.push({ readAt: now, jwks });
      for (const cache of caches)
        if (now - cache.readAt >= maxAge) Object.assign(cache, { readAt: now, jwks });
      if (now === 300) await keys.rotate();
      const { id_token: idToken = '' } = await refreshTokenGrant(party.config, token);
      for (const cache of caches) await jwtVerify(idToken, createLocalJWKSet(cache.jwks));
      kids.push(decodeProtectedHeader(idToken).kid);
      await age(app, 'id_token_keys', STEP_SECONDS);
      readAgain();
    }
    const [first] = kids;
    const change = kids.findIndex((kid) => kid !== first);
    expect(change * STEP_SECONDS).toBeGreaterThan(300);
    expect(new Set(kids).size).toBe(2);
  });

  /** Has the service read the keys at its next use: it does so every five seconds. */
  function readAgain(): void {
    Object.assign(keys, { loadedAt: -Infinity });
  }
});
