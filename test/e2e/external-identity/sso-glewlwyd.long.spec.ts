import { CHROMIUM } from '../../support/chromium.js';
import { Lab } from '../../support/lab.js';
import { describeWith } from '../../support/tools.js';

/** An OpenID Connect provider of Debian's: `npm run lab -- glewlwyd`. */
describeWith([CHROMIUM, 'glewlwyd'], 'Sign-in by Glewlwyd', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.open('glewlwyd');
  });
  beforeEach(() => lab.freshBrowser());
  afterAll(() => lab.close(), 60_000);

  const logIn = async (password: string) => {
    await lab.page.getByPlaceholder('Your username').fill('ada');
    await lab.page.getByPlaceholder('Your password').fill(password);
    await lab.press('OK');
  };
  const signIn = async (form?: 'tokens') => {
    await lab.leave('oidc', form);
    await logIn('quiet-harbour-42');
    await lab.press('Continue');
    return lab.landing();
  };

  it('signs in, with address and name, once we may know them', async () => {
    await lab.leave('oidc');
    await logIn('quiet-harbour-42');
    await lab.page.getByLabel('email').check();
    await lab.page.getByLabel('profile').check();
    await lab.press('Grant access');
    await lab.press('Continue');
    expect(await lab.landing()).toMatchObject({
      heading: 'Signed in as Ada',
      words: 'By a code.',
      shown: {
        'who am I': { email: 'ada@example.com', emailVerified: true },
        'my identities': [{ kind: 'oidc', issuer: expect.stringMatching(/\/api\/oidc$/) }],
      },
    });
  });

  it('knows the same person again, in another browser', async () => {
    const first = await signIn('tokens');
    expect(first.words).toBe('By tokens in the fragment.');
    await lab.freshBrowser();
    expect((await signIn()).shown['who am I']).toEqual(first.shown['who am I']);
  });

  it('rejects a wrong password', async () => {
    await lab.leave('oidc');
    await logIn('another');
    await lab.page.getByText('Authentication error').waitFor();
  });
});
