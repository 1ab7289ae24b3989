import { PAGE_PATHS } from '../../src/portal/page-paths.js';
import { textsOf } from '../../src/platform/messages/index.js';
import { SamlStandIn } from '../lab/saml-stand-in.js';
import { CHROMIUM } from '../support/chromium.js';
import { LabConnection, samlSettings } from '../support/connection.js';
import { Organization, Person } from '../support/organization.js';
import { pkce, TestSatellite } from '../support/satellite.js';
import { withPortal, type Visitor } from '../support/portal.js';
import { ScimDirectory } from '../support/scim-directory.js';
import { describeWith } from '../support/tools.js';

/** A reason. */
const SERVICE = ['The last owner cannot leave.'];

/** Languages of the portal: chosen, kept, complete, and without overflow. */
describeWith([CHROMIUM], 'Pages in other languages', () => {
  let owner: Person;
  let organization: Organization;
  let subscriptionId: string;
  let directory: ScimDirectory;
  let connection: LabConnection;
  const { app, portal } = withPortal();
  beforeAll(async () => {
    owner = await Person.signUp(app);
    organization = await Organization.found(app, owner);
    await organization.call('POST', '/invitations', { email: 'grace@example.com', roles: ['member'] });
    const { token } = organization.owner;
    const subscription = { url: 'https://hooks.example.com/', types: ['iam.role.*'] };
    const { body } = await app.call('POST', '/api/v1/webhooks/subscriptions', subscription, { token });
    subscriptionId = String(body['id']);
    await app.call('POST', `/api/v1/webhooks/subscriptions/${subscriptionId}/test`, {}, { token });
    directory = await ScimDirectory.create(organization);
    await directory.create('ada@acme.example');
    await directory.create('ada@acme.example').catch(() => undefined); // refused, for the list of calls
    const rules = [{ group: 'Packers', roles: ['member'] }];
    await organization.call('PUT', `/directories/${directory.id}/rules`, { rules });
    connection = await LabConnection.create(organization, samlSettings(new SamlStandIn()), 'sso.example');
    const items = [{ attribute: 'groups', operator: 'equals', value: 'Packers', roles: ['member'] }];
    await connection.call('PUT', '/rules', { items });
    await organization.call('POST', '/domains', { name: 'unverified.example' });
  });

  const languageOf = ({ page }: Visitor) =>
    page.evaluate<[string, string]>('[document.documentElement.lang, document.documentElement.dir]');

  it("begin in the browser's language, and in English where there is no such text", async () => {
    const visitor = await portal.visitor({ locale: 'de-AT' });
    await visitor.goto('/');
    await visitor.sees('Anmelden');
    expect(await languageOf(visitor)).toEqual(['de', 'ltr']);
    const description = visitor.page.locator('meta[name=description]');
    expect(await description.getAttribute('content')).toBe(
      'Ihr Konto, Ihre Organisationen und Ihre Sitzungen.',
    );
    const other = await portal.visitor({ locale: 'ja-JP' });
    await other.goto('/');
    await other.sees('Sign in');
    expect(await languageOf(other)).toEqual(['en', 'ltr']);
  });

  it('show the chosen value of a filter as a whole on a phone', async () => {
    const visitor = await portal.visitor({ locale: 'de-DE', viewport: { width: 375, height: 740 } });
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.page.locator('input[name=email]').fill(owner.email);
    await visitor.page.locator('input[name=password]').fill(owner.password);
    await visitor.press('Anmelden');
    await visitor.sees('Mitglieder');
    const cut = await visitor.page
      .locator('.select > span')
      .evaluateAll((nodes) =>
        (nodes as unknown as { scrollWidth: number; clientWidth: number; textContent: string }[])
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    expect(cut).toEqual([]);
  });

  it.each([
    ['es-MX', 'es', 'Iniciar sesión'],
    ['nl-BE', 'nl', 'Inloggen'],
  ])('begin in %s', async (locale, language, heading) => {
    const visitor = await portal.visitor({ locale });
    await visitor.goto('/');
    await visitor.sees(heading);
    expect(await languageOf(visitor)).toEqual([language, 'ltr']);
  });

  it.each([
    ['en-US', 'en', /^[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M$/],
    ['en-GB', 'en', /^\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d\d:\d\d$/],
    ['fr-FR', 'fr', /^\d{1,2} \S+ \d{4}, \d\d:\d\d$/],
    ['fr-CA', 'fr', /^\d{1,2} \S+ \d{4}, \d\d\sh\s\d\d$/],
    ['en-GB', 'de', /^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/],
  ])('write times as the region of a browser in %s does, in %s', async (locale, language, form) => {
    const visitor = await portal.visitor({ locale });
    await visitor.page.addInitScript(`localStorage.setItem('gatehouse-locale', '${language}')`);
    await visitor.goto('/');
    await visitor.page.locator('input[name=email]').fill(owner.email);
    await visitor.page.locator('input[name=password]').fill(owner.password);
    await visitor.page.locator('button[type=submit]').click();
    await visitor.page.waitForURL('**/organizations');
    await visitor.goto('/account/sessions');
    const time = visitor.page.locator('time').first();
    await time.waitFor();
    expect(await time.getAttribute('title')).toMatch(form);
    expect(await languageOf(visitor)).toEqual([language, 'ltr']);
  });

  it('change at once, keep what was typed, and stay after a reload', async () => {
    const visitor = await portal.visitor();
    await visitor.goto('/register');
    await visitor.fill('First name', 'Ada');
    await visitor.press('Language: English');
    await visitor.page.getByRole('menuitemradio', { name: 'Français' }).click();
    await visitor.sees('Créer un compte');
    expect(await visitor.page.getByLabel('Prénom').inputValue()).toBe('Ada');
    await visitor.page.reload();
    await visitor.sees('Créer un compte');
    await visitor.press('Créer le compte');
    await visitor.reads('Remplissez ce champ.');
  });

  it('follow the profile, and ask the service in the same language', async () => {
    const person = await Person.signUp(app);
    const own = await Organization.found(app, person);
    const visitor = await portal.visitor();
    await visitor.goto('/account');
    await visitor.signIn(person);
    await visitor.page.getByRole('button', { name: /^Browser’s language/ }).click();
    await visitor.page.getByRole('option', { name: 'Deutsch' }).click();
    await visitor.press('Save');
    await visitor.sees('Profil');
    await visitor.goto(`/organizations/${own.id}/members`);
    await visitor.press(/^Aktionen für/);
    await visitor.reads(/^Der letzte Inhaber kann weder entfernt/);
    const otherDevice = await portal.visitor();
    await otherDevice.goto('/');
    await otherDevice.signIn(person);
    await otherDevice.sees('Organisationen');
  });

  describe.each([
    ['en-XA', 'ltr'],
    ['ar-XB', 'rtl'],
  ])('as %s', (locale, direction) => {
    /** Texts on the page that are not code, a time, or the name of a language. */
    const foreign = `(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (element.closest('code, pre, time, script, noscript, option, span[lang], .brand, .avatar, .address')) continue;
        const text = walker.currentNode.textContent.trim();
        if (/\\p{L}/u.test(text)) found.push(text);
      }
      return found;
    })()`;
    /** Elements that make the page wider than the screen. */
    const overflowing = `(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth === clientWidth) return [];
      return [...document.querySelectorAll('body :not(.nav *)')]
        .filter((element) => element.getBoundingClientRect().right > clientWidth || element.getBoundingClientRect().left < 0)
        .map(({ className, textContent }) => className + ': ' + textContent.slice(0, 40));
    })()`;

    it('are translated to the last text, and fit 320 pixels', async () => {
      const visitor = await portal.visitor({ viewport: { width: 320, height: 700 } });
      await visitor.page.addInitScript(`localStorage.setItem('gatehouse-locale', '${locale}')`);
      // Names and addresses, and what the service itself answers.
      const permissions = [...textsOf('en')].flatMap(([id, title]) =>
        id.startsWith('scope.') ? [title] : [],
      );
      const names = [owner.email, 'grace@example.com', 'Lovelace Logistics', 'Ada'];
      const events = ['hooks.example.com'];
      // What a directory is called and has sent, and what it was answered.
      const ofDirectory = ['Entra ID', 'First', 'acme.example', 'Packers', 'Another user', '/api/scim/v2/'];
      // What a connection is called.
      const ofConnection = [
        'Provider',
        'sso.example',
        'idp.example.com',
        'unverified.example',
        textsOf('en').get('connection.not-tested') ?? '',
      ];
      const known = [...names, ...events, ...ofDirectory, ...ofConnection, ...SERVICE, ...permissions];
      const look = async (name: string) => {
        await visitor.page.locator('h1').waitFor();
        await visitor.page.locator('.bone').first().waitFor({ state: 'detached' });
        expect([name, ...(await languageOf(visitor))]).toEqual([name, locale, direction]);
        const texts = (await visitor.page.evaluate<string[]>(foreign)).filter(
          (text) => !text.includes('⟦') && !text.includes('⟧') && !isPart(text),
        );
        const untranslated = texts.filter((text) => !known.some((value) => text.includes(value)));
        expect([name, untranslated]).toEqual([name, []]);
        expect([name, await visitor.page.evaluate(overflowing)]).toEqual([name, []]);
      };
      const { codeChallenge } = pkce();
      const { clientId, redirectUri } = await TestSatellite.register(app);
      known.push('Help centre', new URL(redirectUri).host, new URL(app.url).host);
      const ofApps = [
        `/sign-in?${new URLSearchParams({ return_to: app.url, code_challenge: codeChallenge })}`,
        `/authorize?${new URLSearchParams({ clientId, redirectUri, codeChallenge })}`,
      ];
      const own = [
        '/',
        '/register',
        '/forgotten-password',
        '/verify-email',
        '/signed-in',
        '/authorize',
        '/device',
        '/sign-out',
      ];
      for (const path of [...own, ...ofApps]) {
        await visitor.goto(path);
        await look(path);
      }
      await visitor.goto('/');
      await visitor.page.locator('input[name=email]').fill(owner.email);
      await visitor.page.locator('input[name=password]').fill(owner.password);
      await visitor.page.locator('button[type=submit]').click();
      await visitor.page.waitForURL('**/organizations');
      for (const path of ofApps) {
        await visitor.goto(path);
        await visitor.page.getByText(owner.email).waitFor();
        await look(path);
      }
      for (const path of Object.values(PAGE_PATHS).filter((one) => /organizations|account/.test(one))) {
        await visitor.goto(
          path
            .replace(':tenantId', organization.id)
            .replace(':subscriptionId', subscriptionId)
            .replace(':directoryId', directory.id)
            .replace(':connectionId', connection.id),
        );
        await look(path);
      }
    });

    /** A text of the catalogue that is split by its elements: accented, which no other text is. */
    const isPart = (text: string): boolean => /[åéîöûñç]/.test(text);
  });
});
