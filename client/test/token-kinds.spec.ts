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

/** What each kind of token and key of Gatehouse is to a service in another process. */
describe('A verifier, given a token of each kind,', () => {
  let app: TestApp;
  let organization: Organization;
  let issuer: WorkloadIssuer;
  let accountId: string;
  const clients: Record<string, RelyingParty> = {};
  beforeAll(async () => {
    app = await TestApp.start({
      CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
      RATE_REFRESH: 'off',
      RATE_WRITE: 'off',
    });
    organization = await Organization.found(app);
    issuer = await WorkloadIssuer.start();
    clients['own'] = await RelyingParty.register(app, { firstParty: true });
    clients['foreign'] = await RelyingParty.register(app, { firstParty: false, subjectType: 'pairwise' });
    accountId = await createAccount();
  });
  afterAll(async () => {
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

  /** Whether it is accepted by default, with the client in `clients`, and with `serviceKeys`. */
  const refused = { byDefault: null, listed: null, serviceKeys: null };
  const person = { byDefault: 'person', listed: 'person', serviceKeys: 'person' };
  const service = { byDefault: 'service', listed: 'service', serviceKeys: 'service' };
  it.each<[string, object, () => Promise<string | undefined>]>([
    ['the app without an organization', person, async () => organization.owner.person.token],
    ['the app in an organization', person, async () => organization.owner.token],
    [
      "a client of the operator's own",
      { ...refused, listed: 'person' },
      async () => (await tokensOf('own')).access_token,
    ],
    [
      'a third-party client',
      { ...refused, listed: 'person' },
      async () => (await tokensOf('foreign')).access_token,
    ],
    ['an ID token', refused, async () => (await tokensOf('own')).id_token],
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
      async () => {
        const key = await ProofKey.create();
        const nonce = app.app.get(DpopNonces, { strict: false }).current();
        const proof = await key.prove({ htm: 'POST', htu: `${ISSUER}/oauth2/token`, nonce });
        return issue(await credentials(), proof);
      },
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
    const kindBy = async (options: Partial<VerifierOptions>) => {
      try {
        return (await verifier(options).verify(String(token))).kind;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidTokenError);
        return null;
      }
    };
    const listed = Object.values(clients).map(({ clientId }) => clientId);
    expect({
      byDefault: await kindBy({}),
      listed: await kindBy({ clients: listed }),
      serviceKeys: await kindBy({ serviceKeys: true }),
    }).toEqual(expected);
    expect(await kindBy({ clients: 'any' })).toBe((expected as typeof person).listed);
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

  it('knows a person of a pairwise client by another id, and says which client is missing', async () => {
    const { access_token: token } = await tokensOf('foreign');
    const { userId } = await verifier({ clients: 'any' }).verify(token);
    expect(userId).not.toBe(organization.owner.person.id);
    const reason = `issued to the client ${clients['foreign']?.clientId}, which is not one of \`clients\``;
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
