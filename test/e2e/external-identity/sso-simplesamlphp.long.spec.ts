import { CHROMIUM } from '../../support/chromium.js';
import { Lab } from '../../support/lab.js';
import { describeWith } from '../../support/tools.js';

const NEEDED = [CHROMIUM, 'php', '/usr/share/simplesamlphp/www/index.php'];

/** An identity provider of Debian's: `npm run lab -- simplesamlphp`. */
describeWith(NEEDED, 'Sign-in by SimpleSAMLphp', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.open('simplesamlphp');
  });
  beforeEach(() => lab.freshBrowser());
  afterAll(() => lab.close(), 60_000);

  const logIn = async (password: string) => {
    await lab.page.getByLabel('Username').fill('ada');
    await lab.page.getByLabel('Password').fill(password);
    await lab.press('Login');
  };
  const signIn = async (form?: 'tokens') => {
    await lab.leave('saml', form);
    await logIn('quiet-harbour-42');
    return lab.landing();
  };

  it('signs in, with address and name', async () => {
    expect(await signIn()).toMatchObject({
      heading: 'Signed in as Ada',
      words: 'By a code.',
      shown: {
        'who am I': { email: 'ada@example.com', emailVerified: true },
        'my identities': [{ kind: 'saml', issuer: expect.stringContaining('/saml2/idp/metadata.php') }],
      },
    });
  });

  it('knows who is signed in there already, and we know them again', async () => {
    const first = await signIn('tokens');
    expect(first.words).toBe('By tokens in the fragment.');
    await lab.leave('saml');
    expect((await lab.landing()).shown['who am I']).toEqual(first.shown['who am I']);
  });

  it('rejects a wrong password', async () => {
    await lab.leave('saml');
    await logIn('another');
    await lab.page.getByText('Incorrect username or password').waitFor();
  });

  it.each<[string, (asked: URL) => void]>([
    ['without a signature', ({ searchParams }) => searchParams.delete('Signature')],
    ['with another RelayState', ({ searchParams }) => searchParams.set('RelayState', 'another')],
  ])('answers none of our requests %s', async (_what, change) => {
    const asked = await lab.authorizationUrl('saml');
    expect((await fetch(asked, { redirect: 'manual' })).status).toBe(302);
    change(asked);
    const refused = await fetch(asked, { redirect: 'manual' });
    expect(await refused.text()).toContain('UNHANDLEDEXCEPTION');
  });
});
