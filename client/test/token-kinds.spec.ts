import { Controller, Get, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Caller, GatehouseModule } from '@gatehouse/client/nestjs';
import type { AccessToken } from '@gatehouse/client/verifier';
import { Organization } from '../../test/support/organization.js';
import { ProofKey } from '../../test/support/proof-key.js';
import { RelyingParty } from '../../test/support/relying-party.js';
import { TestApp } from '../../test/support/test-app.js';
import { WorkloadIssuer } from '../../test/support/workload-issuer.js';
import { DpopNonces } from '../../src/session/index.js';
import {
  InvalidTokenError,
  UnavailableError,
  Verifier,
  type VerifierOptions,
} from '../src/verifier/index.js';

const ISSUER = 'http://gatehouse.test';
const SUBJECT = 'repo:octo/app';
const TYPE = 'urn:ietf:params:oauth:token-type:';
/** Settings of a verifier: the default, and the two that take tokens by RS256. */
const ALGORITHMS = {
  ES256: 'ES256',
  RS256: 'RS256',
  both: ['ES256', 'RS256'],
} as const;

@Controller('mine')
class MineController {
  @Get()
  read(@Caller() { kind }: AccessToken): { kind: string } {
    return { kind };
  }
}

/** What each kind of token and key of Gatehouse is to a service in another process. */
describe('A verifier, given a token of each kind,', () => {
  let app: TestApp;
  let organization: Organization;
  let issuer: WorkloadIssuer;
  let accountId: string;
  const clients: Record<string, RelyingParty> = {};
  const guarded: Record<string, INestApplication> = {};
  beforeAll(async () => {
    app = await TestApp.start({
      CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
      RATE_REFRESH: 'off',
      RATE_WRITE: 'off',
    });
    organization = await Organization.found(app);
    issuer = await WorkloadIssuer.start();
    for (const accessTokenAlg of ['ES256', 'RS256'] as const) {
      const foreign = { firstParty: false, subjectType: 'pairwise' } as const;
      clients[`own ${accessTokenAlg}`] = await RelyingParty.register(app, { accessTokenAlg });
      clients[`foreign ${accessTokenAlg}`] = await RelyingParty.register(app, { ...foreign, accessTokenAlg });
    }
    accountId = await createAccount();
    for (const [name, algorithm] of Object.entries(ALGORITHMS)) {
      const options = { clients: 'any', serviceKeys: true, algorithm } as const;
      const module = GatehouseModule.forRoot({ issuer: ISSUER, audience: ISSUER, url: app.url, ...options });
      @Module({ imports: [module], controllers: [MineController] })
      class Guarded {}
      const nest = await NestFactory.create(Guarded, { logger: false });
      await nest.listen(0, '127.0.0.1');
      guarded[name] = nest;
    }
  });
  afterAll(async () => {
    for (const nest of Object.values(guarded)) await nest.close();
    await app.stop();
    await issuer.stop();
  });

  const createAccount = async (): Promise<string> => {
    const account = { name: 'Export', roles: ['admin'] };
    return String((await organization.call('POST', '/service-accounts', account)).body['id']);
  };
  const verifier = (options: Partial<VerifierOptions> = {}): Verifier =>
    new Verifier({ issuer: ISSUER, audience: ISSUER, url: app.url, ...options });
  const ofAccount = async (path: string, body: object, id = accountId) =>
    (await organization.call('POST', `/service-accounts/${id}/${path}`, body)).body;
  const issue = async (form: Record<string, string>, dpop?: string): Promise<string> => {
    const headers = { ...(dpop !== undefined && { dpop }) };
    const request = { method: 'POST', headers, body: new URLSearchParams(form) };
    const body = (await (await fetch(`${app.url}/oauth2/token`, request)).json()) as { access_token: string };
    return body.access_token;
  };
  const newKey = async (id = accountId) => String((await ofAccount('keys', { name: 'Nightly' }, id))['key']);
  const credentials = async () => {
    const { clientSecret } = await ofAccount('credentials', { kind: 'secret' });
    const client = { client_id: accountId, client_secret: String(clientSecret) };
    return { grant_type: 'client_credentials', ...client };
  };
  const exchange = (token: string, type: string) => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: accountId,
    subject_token: token,
    subject_token_type: TYPE + type,
  });
  const tokensOf = (client: string) => clients[client]!.signIn(organization.owner.person.token);
  /** @returns the second access token, bound to a key if so asked */
  const refreshed = async (client: string, isBound = false): Promise<string> => {
    const { clientId, clientSecret } = clients[client]!;
    const { refresh_token: token = '' } = await tokensOf(client);
    const form = { grant_type: 'refresh_token', refresh_token: token };
    const proof = isBound ? await prove() : undefined;
    return issue({ ...form, client_id: clientId, client_secret: clientSecret }, proof);
  };
  const prove = async (): Promise<string> => {
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    const key = await ProofKey.create();
    return key.prove({ htm: 'POST', htu: `${ISSUER}/oauth2/token`, nonce });
  };

  interface Expected {
    /** The one that signs it; by default ES256. */
    readonly alg?: 'RS256';
    /** What it is by default, with the client in `clients`, and with `serviceKeys`. */
    readonly byDefault: string | null;
    readonly listed: string | null;
    readonly serviceKeys: string | null;
  }
  const refused: Expected = { byDefault: null, listed: null, serviceKeys: null };
  const person: Expected = { byDefault: 'person', listed: 'person', serviceKeys: 'person' };
  const service: Expected = { byDefault: 'service', listed: 'service', serviceKeys: 'service' };
  const ofClient: Expected = { ...refused, listed: 'person' };
  const ofRs256: Expected = { ...ofClient, alg: 'RS256' };
  it.each<[string, Expected, () => Promise<string | undefined>]>([
    ['the app without an organization', person, async () => organization.owner.person.token],
    ['the app in an organization', person, async () => organization.owner.token],
    ["a client of the operator's own", ofClient, async () => (await tokensOf('own ES256')).access_token],
    ['such a client by RS256', ofRs256, async () => (await tokensOf('own RS256')).access_token],
    ['a third-party client', ofClient, async () => (await tokensOf('foreign ES256')).access_token],
    ['such a client by RS256', ofRs256, async () => (await tokensOf('foreign RS256')).access_token],
    ['a refresh by RS256', ofRs256, () => refreshed('own RS256')],
    ['a client by RS256 with a proof of a key', refused, () => refreshed('own RS256', true)],
    ['an ID token, which is by RS256', refused, async () => (await tokensOf('own RS256')).id_token],
    ['client credentials', service, async () => issue(await credentials())],
    ['an exchanged key', service, async () => issue(exchange(await newKey(), 'access_token'))],
    [
      'an exchanged token of a workload',
      service,
      async () => {
        const rule = { issuer: issuer.url, audience: 'gatehouse', conditions: { sub: SUBJECT } };
        await ofAccount('trust-rules', rule);
        return issue(exchange(issuer.token(SUBJECT, Math.floor(Date.now() / 1_000), 300), 'jwt'));
      },
    ],
    [
      'client credentials with a proof of a key',
      refused,
      async () => issue(await credentials(), await prove()),
    ],
    ['a key of a service account', { ...refused, serviceKeys: 'service' }, () => newKey()],
    [
      'a key of a person',
      refused,
      async () => {
        const key = { tenantId: organization.id, name: 'Laptop' };
        const { body } = await app.call('POST', '/api/v1/iam/me/keys', key, {
          token: organization.owner.person.token,
        });
        return String(body['key']);
      },
    ],
    ['a refresh token', refused, async () => (await app.login(organization.owner.person)).refreshToken],
  ])('decides about %s', async (_kind, expected, tokenOf) => {
    const token = await tokenOf();
    expect(token).toEqual(expect.any(String));
    const { alg = 'ES256', ...kinds } = expected;
    const listed = Object.values(clients).map(({ clientId }) => clientId);
    for (const [name, algorithm] of Object.entries(ALGORITHMS)) {
      const isTaken = name === 'both' || name === alg;
      const kindBy = async (options: Partial<VerifierOptions>) => {
        try {
          return (await verifier({ algorithm, ...options }).verify(String(token))).kind;
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidTokenError);
          return null;
        }
      };
      const seen = {
        byDefault: await kindBy({}),
        listed: await kindBy({ clients: listed }),
        serviceKeys: await kindBy({ serviceKeys: true }),
      };
      expect([name, seen]).toEqual([name, isTaken ? kinds : refused]);
      expect(await kindBy({ clients: 'any' })).toBe(seen.listed);
      // The guard of NestJS decides as the verifier does.
      const kind = await kindBy({ clients: 'any', serviceKeys: true });
      const mine = await fetch(`${await guarded[name]!.getUrl()}/mine`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = (await mine.json()) as { kind?: string };
      expect([name, mine.status, body.kind ?? null]).toEqual([name, kind === null ? 401 : 200, kind]);
    }
  });

  it('names a service account, its organization and its scopes, and confirms it', async () => {
    const token = await verifier().verify(await issue(await credentials()));
    expect(token).toMatchObject({
      kind: 'service',
      userId: accountId,
      clientId: accountId,
      tenantId: organization.id,
      sessionId: null,
      authenticatedAt: null,
      methods: [],
    });
    expect(token.scopes).toContain('iam:member:read');
    await verifier().confirm(token);
    expect((await verifier().can(token, null, ['iam:member:read']))['iam:member:read'].allowed).toBe(true);
    await organization.call('POST', `/service-accounts/${accountId}/disable`);
    await expect(verifier().confirm(token)).rejects.toThrow(InvalidTokenError);
    await organization.call('POST', `/service-accounts/${accountId}/enable`);
  });

  it('says by which algorithm a token is signed, if it does not take it', async () => {
    const { access_token: token } = await tokensOf('own RS256');
    const reason = 'in the form of RS256, which `algorithm` does not name';
    await expect(verifier({ clients: 'any' }).verify(token)).rejects.toMatchObject({ reason });
  });

  it('knows a person of a pairwise client by another id, and says which client is missing', async () => {
    const { access_token: token } = await tokensOf('foreign ES256');
    const { userId } = await verifier({ clients: 'any' }).verify(token);
    expect(userId).not.toBe(organization.owner.person.id);
    const reason = `issued to the client ${clients['foreign ES256']?.clientId}, which is not one of \`clients\``;
    await expect(verifier().verify(token)).rejects.toMatchObject({ reason });
  });

  it('exchanges a key once a minute, and refuses a revoked one after it', async () => {
    const [id, requests] = [await createAccount(), jest.spyOn(globalThis, 'fetch')];
    const exchanges = () => requests.mock.calls.filter(([input]) => String(input).endsWith('/oauth2/token'));
    try {
      const key = await newKey(id);
      const keeper = verifier({ serviceKeys: true });
      const [first, second] = await Promise.all([keeper.verify(key), keeper.verify(key)]);
      expect([first.userId, second.raw, exchanges().length]).toEqual([id, first.raw, 1]);
      await organization.call('POST', `/service-accounts/${id}/disable`);
      expect((await keeper.verify(key)).userId).toBe(id);
      const later = Date.now() + 61_000;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
      await expect(keeper.verify(key)).rejects.toMatchObject({ reason: 'key refused by Gatehouse' });
      clock.mockRestore();
      await organization.call('POST', `/service-accounts/${id}/enable`);
      expect((await keeper.verify(key)).userId).toBe(id);
    } finally {
      requests.mockRestore();
    }
    const away = verifier({ serviceKeys: true, url: 'http://127.0.0.1:1' });
    await expect(away.verify(await newKey())).rejects.toThrow(UnavailableError);
    await expect(verifier().verify(await newKey())).rejects.toMatchObject({
      reason: 'a key, not an access token: exchange it, or set serviceKeys',
    });
  });
});
