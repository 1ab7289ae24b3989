import { randomBytes } from 'node:crypto';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { ExternalVisitor, type Landing } from '../../support/external.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { createDatabase, TestApp } from '../../support/test-app.js';

/**
 * After any error of this service, the person returns to the page with an error of the closed list.
 */
describe('A callback that cannot be finished here', () => {
  let lab: OidcStandIn;
  let proxy: TcpProxy;
  let app: TestApp;
  let visitor: ExternalVisitor;
  beforeAll(async () => {
    lab = await OidcStandIn.start();
    proxy = await TcpProxy.to(await createDatabase());
    const ROOT_SECRET = randomBytes(32).toString('base64');
    app = await TestApp.start({ ...lab.settings, DATABASE_URL: proxy.url, ROOT_SECRET });
    visitor = new ExternalVisitor(app, 'oidc');
  });
  afterAll(async () => {
    await app.stop();
    await proxy.close();
    await lab.close();
  });

  const begin = async (sub: string): Promise<() => Promise<Landing>> => {
    lab.person = { sub };
    const { body } = await visitor.start();
    return () => visitor.open(lab.visit(String(body['authorizationUrl'])));
  };
  const expectReturn = ({ status, returnUri, fragment }: Landing, error: string): void => {
    expect({ status, returnUri, ...fragment }).toMatchObject({
      status: 303,
      returnUri: 'http://gatehouse.test',
      error,
    });
    expect(Object.keys(fragment).toSorted()).toEqual(['error', 'error_description', 'state']);
  };

  it('for want of the database returns, and the same sign-in succeeds when it is back', async () => {
    const callback = await begin('while-it-was-away');
    await proxy.cut();
    expectReturn(await callback(), 'temporarily_unavailable');
    await proxy.mend();
    expect((await callback()).fragment).toHaveProperty('access_token');
  });

  it('for a fault of ours returns, and the same sign-in succeeds when it is mended', async () => {
    const callback = await begin('while-it-was-broken');
    await app.sql('ALTER TABLE external_flows RENAME TO mislaid');
    expectReturn(await callback(), 'server_error');
    await app.sql('ALTER TABLE mislaid RENAME TO external_flows');
    expect((await callback()).fragment).toHaveProperty('access_token');
  });

  describe('because the account is erased concurrently', () => {
    const signUp = async (sub: string): Promise<string> =>
      (await (await begin(sub))()).fragment['access_token'] ?? '';
    /** Erases the account, but not yet its identities, as a concurrent erasure does. */
    const leave = (sub: string) =>
      app.sql(
        'UPDATE accounts SET erased_at = now() WHERE id = (SELECT account_id FROM external_identities WHERE subject = $1)',
        [sub],
      );

    it('returns from a sign-in', async () => {
      await signUp('going');
      await leave('going');
      expectReturn(await (await begin('going'))(), 'temporarily_unavailable');
    });

    it('returns from linking', async () => {
      const token = await signUp('linking');
      const { body } = await app.call('POST', '/api/v1/iam/me/identities/oidc/link', {}, { token });
      await leave('linking');
      lab.person = { sub: 'to-be-linked' };
      expectReturn(await visitor.open(lab.visit(String(body['authorizationUrl']))), 'link_refused');
    });
  });
});
