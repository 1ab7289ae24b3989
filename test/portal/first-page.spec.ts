import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { isFocused, withPortal, type Visitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const SCRIPT = /\/assets\/first-[\w-]+\.js$/;
const GOOGLE = { EXTERNAL_GOOGLE_CLIENT_ID: 'x', EXTERNAL_GOOGLE_CLIENT_SECRET: 'x' };

/** Elements of the page with their texts, names and places. */
const CONTENT = `(() => {
  const SAID = ['class', 'href', 'aria-label', 'autocomplete', 'role', 'src', 'alt', 'd', 'viewBox', 'fill', 'stroke'];
  const read = (element) => {
    const said = SAID.filter((name) => element.hasAttribute(name)).map((name) => name + '=' + element.getAttribute(name));
    const { x, y, width, height } = element.getBoundingClientRect();
    const where = [x, y, width, height].map((number) => Math.round(number)).join(' ');
    const text = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data).join('').trim();
    return [element.localName, ...said, text, where, ...[...element.children].map(read)];
  };
  return [document.documentElement.lang, ...[...document.getElementById('root').children].map(read)];
})()`;

describeWith([CHROMIUM], 'The sign-in page that the server writes', () => {
  const { app, portal } = withPortal({ ...GOOGLE, EMAIL_SIGN_IN: 'on' });

  /** Opens the sign-in page. Its script arrives when the returned function is called. */
  async function openWithoutScript(visitor: Visitor): Promise<() => Promise<void>> {
    const { page } = visitor;
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(SCRIPT, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/sign-in', { waitUntil: 'commit' });
    await page.locator('.toasts').waitFor({ state: 'attached' });
    return async () => {
      release();
      await page.locator('html[data-first]').waitFor({ state: 'detached' });
    };
  }

  it.each(['en-GB', 'de-AT', 'es', 'fr', 'nl', 'pl', 'tr'])(
    'is that of the script, at the same place, in %s',
    async (locale) => {
      const visitor = await portal.visitor({ locale });
      const run = await openWithoutScript(visitor);
      await visitor.page.locator('h1').waitFor();
      await visitor.page.waitForFunction("document.querySelector('link[rel=stylesheet]').sheet");
      const written = await visitor.page.evaluate<unknown[]>(CONTENT);
      await run();
      expect(await visitor.page.evaluate(CONTENT)).toEqual(written);
      expect(written[0]).toBe(locale.slice(0, 2));
    },
  );

  it('keeps what is typed before the script, and the focus', async () => {
    const person = await Person.signUp(app);
    const visitor = await portal.visitor();
    const run = await openWithoutScript(visitor);
    await visitor.fill('Email address', person.email);
    await visitor.fill('Password', person.password);
    const password = visitor.page.getByLabel('Password', { exact: true });
    await password.press('Enter'); // nothing is sent by a page without its script
    await run();
    expect(await isFocused(password)).toBe(true);
    await visitor.press('Sign in');
    await visitor.sees('Organizations');
  });

  it('does not ask the browser for all its locales, which takes a slow phone 135 ms', async () => {
    const visitor = await portal.visitor();
    await visitor.page.addInitScript(`
      const supported = Intl.DateTimeFormat.supportedLocalesOf;
      Intl.DateTimeFormat.supportedLocalesOf = (...asked) => {
        window.hasAsked = true;
        return supported(...asked);
      };`);
    await visitor.goto('/sign-in');
    await visitor.sees('Sign in');
    expect(await visitor.page.evaluate('window.hasAsked')).toBeUndefined();
  });

  it('is not shown to users who have chosen another language', async () => {
    const visitor = await portal.visitor();
    await visitor.page.addInitScript(`localStorage.setItem('gatehouse-locale', 'fr')`);
    const run = await openWithoutScript(visitor);
    expect(await visitor.page.locator('h1').isVisible()).toBe(false);
    await run();
    await visitor.sees('Se connecter');
  });

  it('has no passkeys in a browser without them', async () => {
    const visitor = await portal.visitor();
    await visitor.page.addInitScript('delete window.PublicKeyCredential');
    const run = await openWithoutScript(visitor);
    const passkeys = visitor.page.getByRole('button', { name: 'Sign in with a passkey' });
    expect(await passkeys.count()).toBe(0);
    await run();
    expect(await passkeys.count()).toBe(0);
  });
});
