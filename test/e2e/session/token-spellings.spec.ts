import { connect } from 'node:net';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { isPrintable, otherSpellings } from '../../support/spellings.js';
import type { Answer } from '../../support/test-app.js';

const IAM = '/api/v1/iam';

/**
 * A second spelling of a token would be a second token: caches, blocklists and logs compare
 * strings.
 */
describe('A token has one spelling:', () => {
  const { lab, app } = withOidc({ EXTERNAL_BROWSER_BINDING: 'off' });

  /** The texts that were not refused with one of the statuses, by their ends. */
  async function accepted(
    texts: readonly string[],
    present: (text: string) => Promise<{ readonly status: number }>,
    ...refusals: number[]
  ): Promise<string[]> {
    const taken: string[] = [];
    for (const text of texts) {
      const { status } = await present(text);
      if (!refusals.includes(status)) taken.push(`${JSON.stringify(text).slice(-60)}: ${status}`);
    }
    return taken;
  }

  describe('a refresh token', () => {
    const refresh = (refreshToken: string): Promise<Answer> => app.post('refresh', { refreshToken });
    let account: { email: string; password: string };
    beforeAll(async () => {
      account = await app.register();
    });

    /** Those of the MAC, and those of the grant and of the generation. */
    function spellingsOf(token: string): string[] {
      const [, grantId = '', generation = '', tag = ''] = /^ghr_(.+)\.(\d+)\.(.+)$/.exec(token) ?? [];
      const numbers = [
        ...['0', '+', ' ', '00', '0x', '-'].map((before) => before + generation),
        ...['.0', 'e0', 'n', ' '].map((after) => generation + after),
        '\u0661', // a digit one of another script
        String(2 ** 32 + 1),
        String(2 ** 53),
        '0',
      ];
      return [
        ...otherSpellings(token),
        ...numbers.map((number) => `ghr_${grantId}.${number}.${tag}`),
        `ghr_${grantId.toLowerCase()}.${generation}.${tag}`,
        `ghr_${grantId.replace('0', 'O')}.${generation}.${tag}`,
        `ghr_${grantId.replace('0', 'o')}.${generation}.${tag}`,
        `GHR_${grantId}.${generation}.${tag}`,
        `${grantId}.${generation}.${tag}`,
        `ghr_${grantId}..${generation}.${tag}`,
        `ghr_${grantId}.${generation}.${Buffer.from(tag, 'base64url').toString('hex')}`,
      ];
    }

    it('is refused as forged in any other one, and nothing is rotated or ended', async () => {
      const { refreshToken, accessToken } = await app.login(account);
      const texts = spellingsOf(refreshToken);
      expect(texts.length).toBeGreaterThan(50);
      expect(await accepted(texts.filter(isPrintable), refresh, 401)).toEqual([]);
      expect(
        await accepted(
          texts.filter((text) => !isPrintable(text)),
          refresh,
          400,
        ),
      ).toEqual([]);
      const { status, body } = await refresh(refreshToken);
      expect([status, String(body['refreshToken']).split('.')[1]]).toEqual([200, '2']);
      expect((await app.get(`${IAM}/me`, accessToken)).status).toBe(200);
    });

    it('of a generation that was used up ends nothing in any other one', async () => {
      const { refreshToken } = await app.login(account);
      const second = await refresh(refreshToken);
      const third = await refresh(String(second.body['refreshToken']));
      expect(await accepted(spellingsOf(refreshToken), refresh, 401, 400)).toEqual([]);
      expect((await refresh(String(third.body['refreshToken']))).status).toBe(200);
    });
  });

  describe('an access token', () => {
    /** Uses a socket, because `fetch` trims the values of headers. */
    async function me(authorization: string): Promise<{ readonly status: number }> {
      const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
      socket.write(`GET ${IAM}/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: `);
      socket.write(`Bearer ${authorization}\r\n\r\n`);
      let answer = '';
      for await (const chunk of socket) answer += String(chunk);
      return { status: Number(answer.split(' ')[1]) };
    }

    it('is refused in any other one, before and after it was verified', async () => {
      const { accessToken } = await app.login(await app.register());
      // Blanks and tabs around the value of a header are no part of it (RFC 9110 section 5.5).
      const texts = otherSpellings(accessToken).filter((text) => text.trim() !== accessToken);
      const broken = (text: string) => text.includes('\n') || text.includes('\r') || text.includes('\0');
      texts.push(
        ...[' ', '\u00a0', '\ufeff'].map((blank) => blank + accessToken).filter((text) => text[0] !== ' '),
      );
      const whole = texts.filter((text) => !broken(text));
      expect(await accepted(whole, me, 401)).toEqual([]);
      expect((await me(accessToken)).status).toBe(200);
      expect(await accepted(whole, me, 401)).toEqual([]);
      expect(await accepted(texts.filter(broken), me, 400, 401)).toEqual([]);
    });
  });

  it('a mailed token is refused in any other one, and stays good', async () => {
    const email = 'one-spelling@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const verification = await app.mailedToken(email);
    const verify = (token: string): Promise<Answer> => app.post('verify-email', { token });
    expect(await accepted(otherSpellings(verification), verify, 400)).toEqual([]);
    expect((await verify(verification)).status).toBe(204);

    await app.post('request-password-reset', { email });
    const resetToken = await app.mailedToken(email, 2);
    const reset = (token: string): Promise<Answer> =>
      app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
    expect(await accepted(otherSpellings(resetToken), reset, 400)).toEqual([]);
    expect((await reset(resetToken)).status).toBe(204);

    const organization = await Organization.found(app);
    const guest = await Person.signUp(app);
    const { length: mailed } = await app.mails(guest.email);
    await organization.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
    const invitation = await app.mailedToken(guest.email, mailed + 1);
    const accept = (token: string): Promise<Answer> =>
      app.post('accept-invitation', { token }, { token: guest.token });
    expect(await accepted(otherSpellings(invitation), accept, 400)).toEqual([]);
    expect((await accept(invitation)).status).toBe(200);
  });

  it("a satellite's code, its verifier and its secret are refused in any other one", async () => {
    const satellite = await TestSatellite.register(app);
    const { token } = await Person.signUp(app);
    const { codeVerifier, codeChallenge } = pkce();
    const issued = await satellite.issue(token, codeChallenge);
    const code = String(issued.body['code']);
    const secrets = otherSpellings(satellite.clientSecret);
    const withSecret = (clientSecret: string): Promise<Answer> =>
      satellite.exchange(code, codeVerifier, { clientSecret });
    expect(await accepted(secrets, withSecret, 400, 401)).toEqual([]);
    const withCode = (text: string): Promise<Answer> => satellite.exchange(text, codeVerifier);
    expect(await accepted(otherSpellings(code), withCode, 400)).toEqual([]);
    expect((await satellite.exchange(code, codeVerifier)).status).toBe(200);
    for (const verifier of otherSpellings(codeVerifier).slice(0, 5)) {
      const next = await satellite.issue(token, codeChallenge);
      expect((await satellite.exchange(next.body['code'], verifier)).status).toBe(400);
    }
  });

  it('the state of an external sign-in is refused in any other one, and stays good', async () => {
    const visitor = new ExternalVisitor(app, 'oidc');
    const { body } = await visitor.start();
    const callback = lab.visit(String(body['authorizationUrl']));
    const state = callback.searchParams.get('state') ?? '';
    const present = (text: string): Promise<{ readonly status: number }> => {
      const changed = new URL(callback);
      changed.searchParams.set('state', text);
      return visitor.open(changed);
    };
    expect(await accepted(otherSpellings(state), present, 400)).toEqual([]);
    expect((await visitor.open(callback)).fragment).toMatchObject({ token_type: 'Bearer' });
  });

  it('the code of an external sign-in is refused in any other one, and stays good', async () => {
    const visitor = new ExternalVisitor(app, 'oidc');
    const { codeVerifier, codeChallenge } = pkce();
    const { body } = await visitor.start({ codeChallenge });
    const { fragment } = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    const redeem = (code: string): Promise<Answer> => app.post('external/token', { code, codeVerifier });
    expect(await accepted(otherSpellings(fragment['code'] ?? ''), redeem, 400)).toEqual([]);
    expect((await redeem(fragment['code'] ?? '')).status).toBe(200);
  });

  it('the code of a link is refused in any other one, and stays good', async () => {
    const { token } = await Person.signUp(app);
    const visitor = new ExternalVisitor(app, 'oidc');
    const { body } = await visitor.link(token);
    lab.person = { sub: 'one spelling' };
    const landing = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    const redeem = (code: string): Promise<Answer> =>
      app.call('POST', `${IAM}/me/identities/redeem`, { code }, { token });
    expect(await accepted(otherSpellings(landing.fragment['link_code'] ?? ''), redeem, 400)).toEqual([]);
    expect((await visitor.redeem(token, landing)).status).toBe(201);
  });
});
