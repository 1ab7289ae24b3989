import { randomBytes } from 'node:crypto';
import type { ErrorReason } from '../../../src/external-identity/providers/provider.js';
import { OidcStandIn, type Twist } from '../../lab/oidc-stand-in.js';
import { signedInAgo } from '../../support/aged.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { createDatabase, itemsOf, TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const IDENTITIES = `${ME}/identities`;

/** Every refusal says what the person can do; here they do it, and are signed in. */
describe('Who is refused', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let lab: OidcStandIn;
  let proxy: TcpProxy;
  let app: TestApp;
  let visitor: ExternalVisitor;
  let sub: string;
  let counter = 0;
  beforeAll(async () => {
    lab = await OidcStandIn.start();
    proxy = await TcpProxy.to(await createDatabase());
    app = await TestApp.start({ ...lab.settings, DATABASE_URL: proxy.url, ROOT_SECRET });
  });
  beforeEach(() => {
    lab.twist = {};
    sub = `subject-${(counter += 1)}`;
    lab.person = { sub };
    visitor = new ExternalVisitor(app, 'oidc');
  });
  afterAll(async () => {
    await app.stop();
    await proxy.close();
    await lab.close();
  });

  const begin = async (changes: Record<string, string | null> = {}) =>
    lab.visit(String((await visitor.start()).body['authorizationUrl']), changes);
  const signIn = async (changes: Record<string, string | null> = {}) => visitor.open(await begin(changes));
  const beginLink = async (token: string) =>
    lab.visit(String((await visitor.link(token)).body['authorizationUrl']));
  const link = async (token: string) => {
    const landing = await visitor.open(await beginLink(token));
    if (landing.fragment['link_code'] !== undefined)
      expect((await visitor.redeem(token, landing)).status).toBe(201);
    return landing;
  };
  const withTwist = async (twist: Twist, work: () => Promise<Landing>) => {
    lab.twist = twist;
    return work().finally(() => (lab.twist = {}));
  };
  const expectRefusal = ({ status, fragment }: Landing, error: ErrorReason) =>
    expect({ status, ...fragment }).toMatchObject({
      status: 303,
      error,
      error_description: expect.any(String),
    });
  /** @param id id of the expected account; any account if left out */
  const expectSignedIn = async ({ fragment }: Landing, id?: string) => {
    const me = await app.get(ME, fragment['access_token']);
    expect(me).toMatchObject({ status: 200, body: { id: id ?? expect.any(String) } });
  };

  /** An administrator of the organization ends these, not the person. */
  type OfConnections =
    'domain_not_verified' | 'not_provisioned' | 'groups_incomplete' | 'connection_disabled';
  const ways: Record<
    Exclude<ErrorReason, OfConnections>,
    readonly [next: string, way: () => Promise<void>]
  > = {
    access_denied: [
      'tries again',
      async () => {
        expectRefusal(await signIn({ code: null, error: 'access_denied' }), 'access_denied');
        await expectSignedIn(await signIn());
      },
    ],
    provider_unavailable: [
      'tries again when the provider has recovered',
      async () => {
        const answer = { status: 503, body: {} };
        expectRefusal(await withTwist({ answer }, () => signIn()), 'provider_unavailable');
        await expectSignedIn(await signIn());
      },
    ],
    invalid_response: [
      'starts again',
      async () => {
        const claims = { nonce: 'of another flow' };
        expectRefusal(await withTwist({ claims }, () => signIn()), 'invalid_response');
        await expectSignedIn(await signIn());
      },
    ],
    second_factor_required: [
      'enters the second factor',
      async () => {
        const before = await signIn();
        const totp = await TestTotp.enrol(app, before.fragment['access_token'] ?? '');
        const landing = await signIn();
        expectRefusal(landing, 'second_factor_required');
        expect(landing.fragment).toMatchObject({ methods: 'totp recovery_code' });
        const { challenge } = landing.fragment;
        const answer = { challenge, method: 'totp', code: totp.next() };
        const { status, body } = await app.post('second-factor', answer);
        expect(status).toBe(200);
        await expectSignedIn({ ...landing, fragment: { access_token: String(body['accessToken']) } });
      },
    ],
    account_exists: [
      'signs in to the account and links the provider there',
      async () => {
        const owner = await Person.signUp(app);
        lab.person = { sub, email: owner.email, email_verified: true };
        expectRefusal(await signIn(), 'account_exists');
        expect((await link((await Person.again(owner)).token)).fragment).toHaveProperty('link_code');
        await expectSignedIn(await signIn(), owner.id);
      },
    ],
    identity_taken: [
      'signs in with it, or unlinks it there first',
      async () => {
        const [one, two] = [await Person.signUp(app), await Person.signUp(app)];
        await link(one.token);
        expectRefusal(await link(two.token), 'identity_taken');
        const there = await signIn();
        await expectSignedIn(there, one.id);
        const token = there.fragment['access_token'] ?? '';
        const [identity] = itemsOf<{ id: string }>(await app.get(IDENTITIES, token));
        await app.call('DELETE', `${IDENTITIES}/${identity?.id}`, undefined, { token });
        expect((await link(two.token)).fragment).toHaveProperty('link_code');
        await expectSignedIn(await signIn(), two.id);
      },
    ],
    account_suspended: [
      'asks who runs the service, and is let in again',
      async () => {
        const { fragment } = await signIn();
        const { body } = await app.get(ME, fragment['access_token']);
        const account = ['--account', String(body['id'])];
        await app.command('account:suspend', ...account);
        expectRefusal(await signIn(), 'account_suspended');
        await app.command('account:restore', ...account);
        await expectSignedIn(await signIn(), String(body['id']));
      },
    ],
    link_refused: [
      'signs in again and starts again',
      async () => {
        const owner = await Person.signUp(app);
        const callback = await beginLink(owner.token);
        await app.post('logout', undefined, { token: owner.token });
        expectRefusal(await visitor.open(callback), 'link_refused');
        expect((await link((await Person.again(owner)).token)).fragment).toHaveProperty('link_code');
        await expectSignedIn(await signIn(), owner.id);
      },
    ],
    temporarily_unavailable: [
      'tries again in a moment',
      async () => {
        const callback = await begin();
        await proxy.cut();
        const refused = await visitor.open(callback);
        await proxy.mend();
        expectRefusal(refused, 'temporarily_unavailable');
        await expectSignedIn(await signIn());
      },
    ],
    server_error: [
      'tries again when it is mended',
      async () => {
        const callback = await begin();
        await app.sql('ALTER TABLE external_flows RENAME TO mislaid');
        const refused = await visitor.open(callback);
        await app.sql('ALTER TABLE mislaid RENAME TO external_flows');
        expectRefusal(refused, 'server_error');
        await expectSignedIn(await signIn());
      },
    ],
  };
  it.each(Object.entries(ways).map(([reason, [next, way]]) => [reason, next, way] as const))(
    'by %s %s, and is signed in',
    (_reason, _next, way) => way(),
  );

  it('for a state that is spent starts again', async () => {
    const { body } = await visitor.start();
    const arrive = () => visitor.open(lab.visit(String(body['authorizationUrl'])));
    await expectSignedIn(await arrive());
    expect(await arrive()).toMatchObject({ status: 400, returnUri: '' });
    await expectSignedIn(await signIn());
  });

  it('because the provider is away at the start tries again after the seconds that are told', async () => {
    const cold = await TestApp.start(lab.settings);
    visitor = new ExternalVisitor(cold, 'oidc');
    lab.twist = { metadata: { issuer: 'https://evil.example' } };
    const { status, headers } = await visitor.start();
    expect({ status, seconds: Number(headers.get('retry-after')) }).toEqual({ status: 503, seconds: 5 });
    lab.twist = {};
    expect((await signIn()).fragment).toHaveProperty('access_token');
    await cold.stop();
  });

  it('to link since the sign-in is long ago signs in again, links, and is signed in by it', async () => {
    const owner = await Person.signUp(app);
    const { accessToken } = await signedInAgo(app, owner);
    expect(await visitor.link(accessToken)).toMatchObject({ status: 401, body: { methods: ['password'] } });
    expect((await link((await Person.again(owner)).token)).fragment).toHaveProperty('link_code');
    await expectSignedIn(await signIn(), owner.id);
  });

  it('to unlink the only sign-in method links another one first', async () => {
    const first = await signIn();
    const token = first.fragment['access_token'] ?? '';
    const me = String((await app.get(ME, token)).body['id']);
    const [only] = itemsOf<{ id: string }>(await app.get(IDENTITIES, token));
    const unlink = () => app.call('DELETE', `${IDENTITIES}/${only?.id}`, undefined, { token });
    expect(await unlink()).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    lab.person = { sub: `${sub}-at-work` };
    await link(token);
    expect((await unlink()).status).toBe(204);
    await expectSignedIn(await signIn(), me);
  });
});
