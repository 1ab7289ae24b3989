import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { mailedLink, PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const COMMON = 'Football1';
const GOOD = 'quiet-harbour-42';
const ASKED = 'Use this password anyway?';
const REFUSED = /This password is on a list/;

describeWith([CHROMIUM], 'The strength of a password', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  const open = async (settings: Record<string, string> = {}) => {
    app = await startPortal(settings);
    portal = await PortalBrowser.open(app.url);
  };
  const close = async () => {
    await portal.close();
    await app.stop();
  };
  beforeEach(async () => {
    visitor = await portal.visitor();
  });
  afterEach(() => portal.leave());
  const startRegistration = async (email: string) => {
    await visitor.goto('/register');
    await visitor.fill('First name', 'Augusta Ada');
    await visitor.fill('Email address', email);
    await visitor.fill('Organization', 'Lovelace Logistics');
  };

  describe('with PASSWORD_BLOCKLIST=warn', () => {
    beforeAll(() => open());
    afterAll(close);

    it('is shown while typing, and a weak password is asked about once more', async () => {
      await startRegistration('ada@example.com');
      for (const [password, strength] of [
        [COMMON, 'Strength: weak. Attackers try passwords like this one first.'],
        ['Lovelace Logistics', /Strength: (?:very )?weak\./],
        [GOOD, 'Strength: strong.'],
        ['password123', 'Strength: very weak.'],
        [COMMON, 'Strength: weak.'],
      ] as const) {
        await visitor.fill('Password', password);
        await visitor.reads(strength);
      }
      await visitor.press('Create account');
      await visitor.reads(ASKED);
      await visitor.fill('Password', 'Baseball1');
      await visitor.page.getByText(ASKED).waitFor({ state: 'hidden' });
      await visitor.press('Create account');
      await visitor.reads(ASKED);
      await visitor.press('Create account');
      await visitor.sees('Check your email');
    });

    it('does not ask about a strong password', async () => {
      await startRegistration('grace@example.com');
      await visitor.fill('Password', GOOD);
      await visitor.press('Create account');
      await visitor.sees('Check your email');
    });

    it('is shown at a reset and at a change, and a sign-in says that the password should change', async () => {
      const { email } = await Person.signUp(app);
      await app.post('request-password-reset', { email });
      await visitor.goto(await mailedLink(app, email, 2));
      await visitor.fill('New password', COMMON);
      await visitor.reads('Strength: weak.');
      await visitor.press('Change password');
      await visitor.reads(ASKED);
      await visitor.press('Change password');
      await visitor.sees('Password changed');
      await visitor.press('Sign in');
      await visitor.signIn({ email, password: COMMON });
      await visitor.reads(/Attackers try your password first/);
      await visitor.goto('/account/password');
      await visitor.fill('Current password', COMMON);
      await visitor.fill('New password', email);
      await visitor.reads(/Attackers try passwords like this one first/);
    });

    it('is not needed for a registration', async () => {
      await visitor.page.route(/\/assets\/password-strength-/, (route) => route.abort());
      await startRegistration('hedy@example.com');
      await visitor.fill('Password', COMMON);
      await visitor.press('Create account');
      await visitor.sees('Check your email');
    });
  });

  describe('with PASSWORD_BLOCKLIST=refuse', () => {
    beforeAll(() => open({ PASSWORD_BLOCKLIST: 'refuse' }));
    afterAll(close);

    it('is told by the service where it refuses common passwords', async () => {
      await startRegistration('ada@example.com');
      await visitor.fill('Password', COMMON);
      await visitor.press('Create account');
      await visitor.reads(REFUSED);
      expect(await visitor.page.getByText(ASKED).count()).toBe(0);
      await visitor.fill('Password', GOOD);
      await visitor.press('Create account');
      await visitor.sees('Check your email');
    });
  });
});
