import { eventually, withApp } from '../../support/test-app.js';

/** Signing keys are rotated while the service runs, and all sessions continue. */
describe('Rotation of the signing key', () => {
  let account: { email: string; password: string };
  let before: { accessToken: string };
  let old: string;
  const service = withApp();
  beforeAll(async () => {
    account = await service.register();
    before = await service.login(account);
    old = kidOf(before.accessToken);
  });

  const kidOf = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
  const works = async (token: string) => (await service.get('/api/v1/iam/me', token)).status;
  const published = async () =>
    ((await service.get('/.well-known/jwks.json')).body['keys'] as unknown as { kid: string; alg: string }[])
      .filter(({ alg }) => alg === 'ES256')
      .map(({ kid }) => kid);
  /** Replicas read the keys every 30 s, and at an unknown key id, at most once a second. */
  const waitForKeys = (expected: string[]) =>
    eventually(`the keys are ${expected.join(', ')}`, async () => {
      const header = Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"unknown"}').toString('base64url');
      expect(await works(`${header}.e30.AAAA`)).toBe(401);
      return (await published()).toSorted().join() === expected.toSorted().join();
    });
  const rotate = async (): Promise<string> => ((await service.command('keys:rotate')) as { kid: string }).kid;
  let fresh: string;

  it('publishes the new key before it signs', async () => {
    expect(await published()).toEqual([old]);
    fresh = await rotate();
    await waitForKeys([old, fresh]);
    expect(kidOf((await service.login(account)).accessToken)).toBe(old);
    const [row] = await service.sql<{ lead: number }>(
      'SELECT extract(epoch FROM signs_from - now())::int AS lead FROM signing_keys WHERE kid = $1',
      [fresh],
    );
    expect(row?.lead).toBeGreaterThan(500);
  });

  it('signs with the new key from its time on, and goes on verifying what the old one signed', async () => {
    await service.sql('UPDATE signing_keys SET signs_from = now() WHERE kid = $1', [fresh]);
    let after = '';
    await eventually('the new key signs', async () => {
      await waitForKeys([old, fresh]);
      after = (await service.login(account)).accessToken;
      return kidOf(after) === fresh;
    });
    expect([await works(after), await works(before.accessToken)]).toEqual([200, 200]);
    expect(await published()).toContain(old);
  });

  it('drops the old key once its tokens are gone, without anyone asking for it', async () => {
    const cleanUp = async () => {
      await service.sql("SELECT graphile_worker.add_job('housekeeping', '{}')");
      await eventually('the cleanup is done', async () => {
        return (await service.sql('SELECT 1 FROM graphile_worker.jobs')).length === 0;
      });
    };
    await cleanUp();
    await waitForKeys([old, fresh]);
    await service.sql("UPDATE signing_keys SET signs_from = signs_from - interval '1 day 1 minute'");
    await cleanUp();
    await waitForKeys([fresh]);
    expect(await works(before.accessToken)).toBe(401);
    expect(await works((await service.login(account)).accessToken)).toBe(200);
  });
});
