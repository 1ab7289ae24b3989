import { createOneTimeToken } from '../../../src/platform/crypto/index.js';
import { Organization, Person } from '../../support/organization.js';
import { TestApp, withApp } from '../../support/test-app.js';

const PASSWORD = 'quiet-harbour-42';
const VOID = {
  status: 400,
  body: { type: '/errors/validation-error', violations: [{ propertyPath: 'token' }] },
};

describe('The preview of an invitation', () => {
  let organization: Organization;
  let counter = 0;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const address = () => `newcomer-${(counter += 1)}@example.com`;
  const invite = (email: string, roles = ['member'], as?: string) =>
    organization.call('POST', '/invitations', { email, roles }, as);
  const preview = (token: string) => app.post('invitation-preview', { token });
  /** Returns the links of the newest mail to an address. */
  const linksOf = async (email: string, count: number): Promise<string[]> => {
    const mail = (await app.mails(email, count)).at(-1) ?? '';
    return (
      mail
        .replace(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
        .match(/https?:\/\/\S+/g) ?? []
    );
  };

  it('tells the organization, the inviter, the roles and the invited address', async () => {
    const email = address();
    await invite(email.toUpperCase(), ['member', 'admin']);
    const token = await app.mailedToken(email);
    const { status, body, headers } = await preview(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      organization: { name: 'Lovelace Logistics' },
      inviter: { name: 'Ada' },
      roles: [
        { key: 'admin', name: 'Admin' },
        { key: 'member', name: 'Member' },
      ],
      email: email.toUpperCase(),
      expiresAt: expect.any(String),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('is the same whether or not the address has an account', async () => {
    const [known, unknown] = [(await Person.signUp(app)).email, address()];
    await invite(known);
    await invite(unknown);
    const of = async (token: string) => {
      const { status, body } = await preview(token);
      return { status, keys: Object.keys(body) };
    };
    expect(await of(await app.mailedToken(known, 2))).toEqual(await of(await app.mailedToken(unknown)));
  });

  it.each(['nonsense', 'A'.repeat(43)])('is refused for the token %s', async (token) => {
    expect(await preview(token)).toMatchObject(VOID);
  });

  it('is refused once the invitation is accepted, revoked or expired', async () => {
    const guest = await Person.signUp(app);
    await invite(guest.email);
    const accepted = await app.mailedToken(guest.email, 2);
    expect((await app.post('accept-invitation', { token: accepted }, { token: guest.token })).status).toBe(
      200,
    );
    const revoked = address();
    const { body } = await invite(revoked);
    await organization.call('DELETE', `/invitations/${String(body['id'])}`);
    const expired = address();
    await invite(expired);
    await app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE email_key = $1", [
      expired,
    ]);
    for (const token of [accepted, await app.mailedToken(revoked), await app.mailedToken(expired)])
      expect(await preview(token)).toMatchObject(VOID);
  });

  it('is refused once the inviter could not invite any more', async () => {
    const admin = await organization.join('admin');
    const email = address();
    await invite(email, ['member'], admin.token);
    const token = await app.mailedToken(email);
    expect((await preview(token)).status).toBe(200);
    await organization.call('DELETE', `/members/${admin.person.id}`);
    expect(await preview(token)).toMatchObject(VOID);
  });

  it('is refused in an archived organization', async () => {
    const email = address();
    await invite(email);
    await organization.call('POST', '/archive');
    expect(await preview(await app.mailedToken(email))).toMatchObject({ status: 403 });
  });

  it('is limited by client network', async () => {
    const limited = await TestApp.start({ RATE_LOGIN: '2' });
    const statuses: number[] = [];
    try {
      for (const token of ['a', 'b', 'c'])
        statuses.push((await limited.post('invitation-preview', { token })).status);
    } finally {
      await limited.stop();
    }
    expect(statuses).toEqual([400, 400, 429]);
  });

  it('is where the mails of a registration lead back to', async () => {
    const email = address();
    const { plainToken: invitation } = createOneTimeToken();
    await app.post('register', { email, password: PASSWORD, firstName: 'New', invitation });
    expect((await linksOf(email, 1)).some((link) => link.endsWith(`&invitation=${invitation}`))).toBe(true);
    await app.post('resend-verification', { email, invitation });
    expect((await linksOf(email, 2)).some((link) => link.endsWith(`&invitation=${invitation}`))).toBe(true);
    const known = await Person.signUp(app);
    const before = (await app.mails(known.email)).length;
    await app.post('register', { email: known.email, password: PASSWORD, firstName: 'New', invitation });
    const links = await linksOf(known.email, before + 1);
    expect(links.some((link) => link.endsWith(`/accept-invitation?token=${invitation}`))).toBe(true);
  });

  it.each(['x', `${'A'.repeat(42)}&`, `${'A'.repeat(40)}#no`])(
    'is no way to write %s into a mail',
    async (invitation) => {
      const body = { email: address(), password: PASSWORD, firstName: 'New', invitation };
      for (const route of ['register', 'resend-verification'])
        expect(
          (await app.post(route, route === 'register' ? body : { email: body.email, invitation })).body,
        ).toMatchObject({ violations: [{ propertyPath: 'invitation' }] });
    },
  );
});
