import { CHROMIUM } from '../../support/chromium.js';
import { Lab } from '../../support/lab.js';
import { describeWith } from '../../support/tools.js';

const NEEDED = [CHROMIUM, 'starman', '/usr/share/lemonldap-ng/portal/htdocs/index.psgi'];
const KINDS = ['oidc', 'saml'];

/** Both kinds of provider at once, of Debian's: `npm run lab -- lemonldap-ng`. */
describeWith(NEEDED, 'Sign-in by LemonLDAP::NG', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await Lab.open('lemonldap-ng');
  });
  beforeEach(() => lab.freshBrowser());
  afterAll(() => lab.close(), 60_000);

  const logIn = async (password = 'dwho') => {
    await lab.page.getByPlaceholder('Login').fill('dwho');
    await lab.page.getByPlaceholder('Password').fill(password);
    await lab.press('Connect');
  };

  it('brings back who does not want us to know them', async () => {
    await lab.leave('oidc');
    await logIn();
    await lab.press('Refuse');
    expect(await lab.landing()).toMatchObject({
      heading: 'Not signed in',
      shown: { error: 'access_denied' },
    });
  });

  it.each(KINDS)(
    'signs in by %s, with address and name, and knows who is signed in already',
    async (kind) => {
      await lab.leave(kind);
      await logIn();
      if (kind === 'oidc') await lab.press('Accept');
      const first = await lab.landing();
      expect(first).toMatchObject({
        heading: 'Signed in as Doctor Who',
        words: 'By a code.',
        shown: { 'who am I': { email: 'dwho@badwolf.org', emailVerified: true } },
      });
      await lab.leave(kind, 'tokens');
      const again = await lab.landing();
      expect(again.words).toBe('By tokens in the fragment.');
      expect(again.shown['who am I']).toEqual(first.shown['who am I']);
    },
  );

  it.each(KINDS)('rejects a wrong password by %s', async (kind) => {
    await lab.leave(kind);
    await logIn('another');
    await lab.page.getByText('Wrong credentials').waitFor();
  });

  it.each<[string, (asked: URL) => void]>([
    ['without a signature', ({ searchParams }) => searchParams.delete('Signature')],
    ['with another RelayState', ({ searchParams }) => searchParams.set('RelayState', 'another')],
  ])('answers none of our SAML requests %s', async (_what, change) => {
    const asked = await lab.authorizationUrl('saml');
    change(asked);
    await lab.page.goto(asked.href);
    await logIn();
    await lab.page.getByText('Error in SAML message signature management').waitFor();
  });
});
