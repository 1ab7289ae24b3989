import { decodeJwt } from 'jose';
import { Person } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { type Answer, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const INVALID_CLIENT = { status: 401, body: { type: '/errors/invalid-client' } };
const INVALID_TOKEN = { status: 401, body: { type: '/errors/invalid-refresh-token' } };

describe('Refresh of a satellite', () => {
  let forum: TestSatellite;
  let shop: TestSatellite;
  let ada: Person;
  const app = withApp();
  beforeAll(async () => {
    forum = await TestSatellite.register(app);
    shop = await TestSatellite.register(app);
  });
  beforeEach(async () => {
    ada = await Person.signUp(app);
  });

  const signedIn = async (token: string) => (await app.get(ME, token)).status === 200;
  const generationOf = async (refreshToken: unknown) => {
    const [, id] = /^ghr_(\w+)\./.exec(String(refreshToken)) ?? [];
    const [grant] = await app.sql<{ generation: number }>('SELECT generation FROM grants WHERE id = $1', [
      id,
    ]);
    return grant?.generation;
  };
  const setDisabled = (disabled: boolean) =>
    app.command(`satellite:${disabled ? 'disable' : 'enable'}`, '--client-id', forum.clientId);

  it('needs the secret of the satellite, and gives tokens of the same client', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    const { status, body } = await forum.refresh(refreshToken);
    expect(status).toBe(200);
    expect(decodeJwt(String(body['accessToken']))).toMatchObject({
      client_id: forum.clientId,
      sid: ada.sessionId,
    });
  });

  const attacks: [string, () => object][] = [
    ['no client', () => ({ clientId: undefined, clientSecret: undefined })],
    ['no secret', () => ({ clientSecret: undefined })],
    ['a secret without a client id', () => ({ clientId: undefined })],
    ['a wrong secret', () => ({ clientSecret: `${forum.clientSecret.slice(0, -1)}!` })],
    ['a client that does not exist', () => ({ clientId: 'no-such-client' })],
    ["another satellite's secret", () => ({ clientSecret: shop.clientSecret })],
    ['another satellite', () => ({ clientId: shop.clientId, clientSecret: shop.clientSecret })],
    ["the app's name", () => ({ clientId: 'gatehouse' })],
  ];

  it.each(attacks)('rejects %s with a current token, and rotates nothing', async (_what, changes) => {
    const { refreshToken } = await forum.signIn(ada.token);
    expect(await forum.refresh(refreshToken, changes())).toMatchObject(INVALID_CLIENT);
    expect(await generationOf(refreshToken)).toBe(1);
    expect((await forum.refresh(refreshToken)).status).toBe(200);
  });

  it.each(attacks)('rejects %s with a used token, and ends no session', async (_what, changes) => {
    const { refreshToken } = await forum.signIn(ada.token);
    const { body } = await forum.refresh(refreshToken);
    await app.sql("UPDATE grants SET rotated_at = now() - interval '1 hour' WHERE rotated_at IS NOT NULL");
    expect(await forum.refresh(refreshToken, changes())).toMatchObject(INVALID_CLIENT);
    expect(await generationOf(refreshToken)).toBe(2);
    expect(await signedIn(ada.token)).toBe(true);
    expect((await forum.refresh(body['refreshToken'])).status).toBe(200);
  });

  it('rejects a stolen token at the refresh by cookie, which takes no secret', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect(await app.post('portal/session', { refreshToken }, { headers })).toMatchObject(INVALID_CLIENT);
    expect(await generationOf(refreshToken)).toBe(1);
  });

  it('ends no session by a stolen token in the cookie that a new sign-in replaces', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    const thief = await Person.signUp(app);
    const cookie = `gatehouse-refresh-80=${refreshToken}`;
    const headers = { 'sec-fetch-site': 'same-origin', cookie };
    const replaced = await app.post('portal/session', { refreshToken: thief.refreshToken }, { headers });
    expect(replaced.status).toBe(200);
    expect(await signedIn(ada.token)).toBe(true);
  });

  it('ends the session when the satellite itself presents a used token', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    await forum.refresh(refreshToken);
    await app.sql("UPDATE grants SET rotated_at = now() - interval '1 hour' WHERE rotated_at IS NOT NULL");
    expect(await forum.refresh(refreshToken)).toMatchObject(INVALID_TOKEN);
    expect(await signedIn(ada.token)).toBe(false);
  });

  it('says nothing about the session to a caller without the secret', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    await app.post('logout', undefined, { token: ada.token });
    const withoutSecret = { clientId: undefined, clientSecret: undefined };
    expect(await forum.refresh(refreshToken, withoutSecret)).toMatchObject(INVALID_CLIENT);
    expect(await forum.refresh(refreshToken)).toMatchObject(INVALID_TOKEN);
  });

  it('gives the same successor to a retry within the window', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    const answers: Answer[] = await Promise.all([forum.refresh(refreshToken), forum.refresh(refreshToken)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body['refreshToken'])).size).toBe(1);
  });

  it('takes either secret while one is being replaced', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    const rotated = await app.command('satellite:rotate-secret', '--client-id', forum.clientId);
    const { clientSecret } = rotated as { clientSecret: string };
    const before = await forum.refresh(refreshToken);
    expect(before.status).toBe(200);
    expect((await forum.refresh(before.body['refreshToken'], { clientSecret })).status).toBe(200);
  });

  it('is rejected while the satellite is disabled, and goes on when it is enabled', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    await setDisabled(true);
    expect(await forum.refresh(refreshToken)).toMatchObject(INVALID_CLIENT);
    expect(await generationOf(refreshToken)).toBe(1);
    await setDisabled(false);
    expect((await forum.refresh(refreshToken)).status).toBe(200);
  });

  it("is refused for the app's own grant, whose token stays good", async () => {
    expect(await forum.refresh(ada.refreshToken)).toMatchObject(INVALID_CLIENT);
    expect(await generationOf(ada.refreshToken)).toBe(1);
    expect(await signedIn(ada.token)).toBe(true);
    expect((await app.post('refresh', { refreshToken: ada.refreshToken })).status).toBe(200);
  });

  it('rejects a forged token before it asks about the client', async () => {
    const { refreshToken } = await forum.signIn(ada.token);
    const forged = `${refreshToken.slice(0, -4)}AAAA`;
    expect(await forum.refresh(forged)).toMatchObject(INVALID_TOKEN);
    expect(await forum.refresh(forged, { clientSecret: 'ghs_wrong' })).toMatchObject(INVALID_TOKEN);
  });
});
