import { CHROMIUM } from '../../support/chromium.js';
import { Lab } from '../../support/lab.js';
import { describeWith } from '../../support/tools.js';

const KINDS = ['google_oauth', 'facebook_oauth', 'apple_oauth', 'oidc', 'saml'];

/** Tests `npm run lab` in a browser. */
describeWith([CHROMIUM], 'The lab', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.open();
  });
  afterAll(() => lab.close(), 60_000);

  const signIn = async (kind: string, { form, mishap = '' }: { form?: 'tokens'; mishap?: string } = {}) => {
    await lab.leave(kind, form);
    await lab.page.getByLabel('What goes wrong?').selectOption(mishap);
    await lab.press('Sign in');
    await lab.press('Go back');
  };

  it.each(KINDS)('signs in by %s, and shows the person', async (kind) => {
    await signIn(kind);
    expect(await lab.landing()).toMatchObject({
      heading: expect.stringMatching(/^Signed in/),
      words: 'By a code.',
      shown: {
        'who am I': { id: expect.any(String) },
        'my identities': [{ kind }],
        'claims of the access token': { amr: [kind] },
      },
    });
  });

  it('signs in with tokens in the fragment, and shows them', async () => {
    await signIn('oidc', { form: 'tokens' });
    expect(await lab.landing()).toMatchObject({
      heading: 'Signed in as Ada',
      words: 'By tokens in the fragment.',
    });
  });

  it.each(KINDS)('shows the error of a person who cancels at %s', async (kind) => {
    await signIn(kind, { mishap: 'the person turns back' });
    expect(await lab.landing()).toMatchObject({
      heading: 'Not signed in',
      shown: { error: 'access_denied' },
    });
  });

  it.each([
    ['google_oauth', '/token answers 500', 'provider_unavailable'],
    ['facebook_oauth', 'the access token is of another app', 'invalid_response'],
    ['apple_oauth', 'the ID token is for another app', 'invalid_response'],
    ['oidc', 'the ID token has another nonce', 'invalid_response'],
    ['saml', 'the answer has XSW3', 'invalid_response'],
    ['saml', 'the answer has another NameID than was signed', 'invalid_response'],
  ])('shows that an attack by %s comes to nothing: %s', async (kind, mishap, error) => {
    await signIn(kind, { mishap });
    expect(await lab.landing()).toMatchObject({ heading: 'Not signed in', shown: { error } });
    expect(lab.said).toContain('external sign-in failed');
  });

  it('lets the browser change what it carries, to no avail', async () => {
    await lab.leave('oidc');
    await lab.press('Sign in');
    await lab.page.getByLabel('iss').fill('https://evil.example');
    await lab.press('Go back');
    expect(await lab.landing()).toMatchObject({ shown: { error: 'invalid_response' } });
  });
});
