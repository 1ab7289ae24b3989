import type { CDPSession } from 'playwright-core';
import { PageServer } from '../lab/site/server.js';
import { StandIns } from '../lab/stand-ins.js';
import { freePort } from '../support/built-service.js';
import { CHROMIUM } from '../support/chromium.js';
import { login, TestTotp } from '../support/factors.js';
import { Organization, Person } from '../support/organization.js';
import { isFocused, mailedLink, PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import { eventually, type TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const SECURITY = '/account/security';
const OPTIONS = '/api/v1/iam/auth/passkeys/options';
const SECOND_FACTOR = 'Enter your second factor';

/**
 * Keeps the timers of passkey options (five minutes), so that a test decides when they expire. The
 * page has no other timer of this length.
 */
const EXPIRY_BY_HAND = `
  globalThis.suggestions = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => {
    if (ms !== 300_000) return timeout(ms);
    const controller = new AbortController();
    const expire = () => controller.abort(new DOMException('expired', 'TimeoutError'));
    globalThis.suggestions.push({ expire });
    return controller.signal;
  };`;

/** Leaves out the pauses between requests for passkey options, and notes them. */
const NO_PAUSES = `
  globalThis.pauses = [];
  const wait = setTimeout.bind(globalThis);
  globalThis.setTimeout = (work, ms, ...given) => {
    const isPause = [5_000, 10_000, 20_000].includes(ms);
    if (isPause) globalThis.pauses.push(ms);
    return wait(work, isPause ? 0 : ms, ...given);
  };`;

describeWith([CHROMIUM], 'Second factors at the portal', () => {
  let site: PageServer;
  let providers: StandIns;
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    site = await new PageServer().listen();
    providers = await StandIns.open(site);
    const PORT = String(await freePort());
    const PUBLIC_URL = `http://localhost:${PORT}`; // passkeys belong to a name, not to an IP address
    app = await startPortal({ ...providers.settings, PORT, PUBLIC_URL });
    portal = await PortalBrowser.open(PUBLIC_URL);
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await app.stop();
    await providers.stop();
    await site.stop();
  });

  const dialog = (name: string) => visitor.page.getByRole('dialog', { name });
  /** A person with an authenticator app, whose sign-in waits for its code. */
  const halfSignedIn = async (path = SECURITY) => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    await visitor.goto(path);
    await visitor.signIn(person);
    await visitor.sees(SECOND_FACTOR);
    return { person, totp };
  };
  const enter = async (label: string, code: string) => {
    await visitor.fill(label, code);
    await visitor.press('Confirm');
  };
  const signOut = async () => {
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.reads('You have signed out.');
  };
  /** Adds an app on the page Security, by the secret that it shows; then it shows the codes. */
  const confirmApp = async () => {
    await visitor.press('Add authenticator app');
    const add = dialog('Add authenticator app');
    await add.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    await add.getByText('Can’t scan it?').click();
    const totp = TestTotp.scanned((await add.locator('.code').innerText()).replaceAll(' ', '').trim());
    await add.getByLabel('Code from the app').fill(totp.next());
    await add.getByRole('button', { name: 'Confirm' }).click();
    const shown = dialog('Save your recovery codes');
    await shown.waitFor();
    return { totp, shown };
  };
  const addApp = async () => {
    const { totp, shown } = await confirmApp();
    const codes = await shown.getByRole('listitem').allInnerTexts();
    await shown.getByRole('button', { name: 'I have saved them' }).click();
    return { totp, codes };
  };
  /** Adds an authenticator to the browser, which keeps passkeys and verifies its user. */
  const addAuthenticator = async (): Promise<{ cdp: CDPSession; authenticatorId: string }> => {
    const cdp = await visitor.page.context().newCDPSession(visitor.page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { cdp, authenticatorId };
  };
  /** Moves every sign-in an hour into the past, for pages loaded from now on. */
  const passAnHour = () =>
    app.sql(
      `UPDATE sessions SET created_at = created_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour',
         aal2_at = aal2_at - interval '1 hour', phr_at = phr_at - interval '1 hour'`,
    );

  it('keep the recovery codes in view until they are saved, and return to where the person was', async () => {
    const person = await Person.signUp(app);
    await visitor.goto(SECURITY);
    await visitor.signIn(person);
    const { shown } = await confirmApp();
    await visitor.page.mouse.click(5, 5);
    await shown.getByRole('button', { name: 'I have saved them' }).press('Enter');
    await shown.waitFor({ state: 'detached' });
    const add = visitor.page.getByRole('button', { name: 'Add authenticator app' });
    await eventually('the focus is back', () => isFocused(add));
  });

  it('are added by an app, and asked for at the next sign-in', async () => {
    const person = await Person.signUp(app);
    await visitor.goto(SECURITY);
    await visitor.signIn(person);
    await visitor.reads('No second factor yet');
    const { totp, codes } = await addApp();
    expect(codes).toHaveLength(10);
    await visitor.reads('10 are left. Each replaces your second factor once.');
    await signOut();

    await visitor.signIn(person);
    await visitor.sees(SECOND_FACTOR);
    const code = visitor.page.getByLabel('Code', { exact: true });
    expect([await code.getAttribute('autocomplete'), await code.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await enter('Code', '000000');
    await visitor.reads('Wrong code');
    await enter('Code', totp.next());
    await visitor.sees('Organizations');
    await signOut();

    await visitor.signIn(person);
    await visitor.press('Use a recovery code instead');
    await enter('Recovery code', codes[0] ?? '');
    await visitor.sees('Organizations');
    await visitor.goto(SECURITY);
    await visitor.reads('9 are left.');
  });

  it('lead back to the sign-in when the challenge is void, and open the requested page', async () => {
    const { person, totp } = await halfSignedIn();
    await app.sql("UPDATE sign_in_challenges SET expires_at = now() - interval '1 second'");
    await enter('Code', totp.next());
    await visitor.reads('This sign-in has expired');
    await visitor.press('Sign in again');
    await visitor.signIn(person);
    await enter('Code', totp.next());
    await visitor.sees('Security');
  });

  it('are not asked for again on a trusted device, until it is removed', async () => {
    const { person, totp } = await halfSignedIn();
    await visitor.page.getByText('Trust this device').click();
    await enter('Code', totp.next());
    await visitor.sees('Security');
    const keys = await visitor.page.evaluate<string[]>('Object.keys(localStorage)');
    expect(keys.filter((key) => key.startsWith('gatehouse.trusted-device.'))).toHaveLength(1);
    expect(keys.join()).not.toContain(person.email);
    await signOut();
    await visitor.signIn(person);
    await visitor.sees('Organizations');
    await visitor.goto(SECURITY);
    await visitor.page
      .getByRole('region', { name: 'Trusted devices' })
      .getByRole('button', { name: /^Remove/ })
      .click();
    await visitor.reads('No device is trusted.');
    await signOut();
    await visitor.signIn(person);
    await visitor.sees(SECOND_FACTOR);
    expect((await login(app, person)).status).toBe(403);
  });

  it('complete an external sign-in', async () => {
    const consent = async () => {
      await visitor.press('Continue with Google');
      await visitor.page.waitForURL(/\/at\//);
      await visitor.page.getByLabel('Who are you?').fill(JSON.stringify({ sub: '7001' }));
      await visitor.press('Sign in');
      await visitor.press('Go back');
    };
    await visitor.goto(SECURITY);
    await consent();
    await visitor.sees('Security');
    const { totp } = await addApp();
    await signOut();
    await visitor.goto(SECURITY);
    await consent();
    await visitor.sees(SECOND_FACTOR);
    await enter('Code', '000000');
    await visitor.reads('Wrong code');
    await visitor.page.getByText('Trust this device').click();
    await enter('Code', totp.next());
    await visitor.sees('Security');
    await signOut();
    await visitor.goto(SECURITY);
    await consent();
    await visitor.sees('Security'); // the device is trusted
    await app.sql('DELETE FROM trusted_devices');
    await signOut();
    await visitor.goto(SECURITY);
    await consent();
    await visitor.sees(SECOND_FACTOR);
    expect(await visitor.page.evaluate<string[]>('Object.keys(localStorage)')).not.toContainEqual(
      expect.stringMatching(/^gatehouse\.trusted-device\./),
    );
  });

  it('confirm a change an hour later, and never the password alone', async () => {
    const { totp } = await halfSignedIn();
    await enter('Code', totp.next());
    await visitor.sees('Security');
    await passAnHour();
    await visitor.goto(SECURITY);
    await visitor.press(/^Rename /);
    const rename = dialog('Rename Authenticator app').or(
      visitor.page.getByRole('dialog', { name: /^Rename/ }),
    );
    await rename.first().getByLabel('Name').fill('Work phone');
    await rename.first().getByRole('button', { name: 'Save' }).click();
    const confirm = dialog('Confirm it is you');
    await confirm.waitFor();
    expect(await confirm.getByLabel('Password', { exact: true }).count()).toBe(0);
    await confirm.getByRole('button', { name: 'Use a recovery code instead' }).click();
    await confirm.getByLabel('Recovery code').fill('AAAAA-AAAAA');
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('Wrong recovery code');
    await confirm.getByRole('button', { name: 'Use an authenticator app instead' }).click();
    await confirm.getByLabel('Code', { exact: true }).fill(totp.next());
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('Work phone');
    await visitor.press('Create new codes');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Create new codes' }).click();
    const saved = dialog('Save your recovery codes');
    await saved.waitFor();
    expect(await saved.getByRole('listitem').count()).toBe(10);
    await saved.getByRole('button', { name: 'I have saved them' }).click();
    await visitor.press('Remove Work phone');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await visitor.reads('No second factor yet');
  });

  it('are asked for of an owner who has none, until it is dismissed', async () => {
    const { owner, id } = await Organization.found(app);
    const title = 'Protect your account with a second factor';
    await visitor.goto('/organizations');
    await visitor.signIn(owner.person);
    await visitor.reads(title);
    await visitor.page.getByRole('link', { name: 'Add a second factor' }).click();
    await visitor.sees('Security');
    expect(await visitor.page.getByText(title).count()).toBe(0);
    await visitor.goto('/account');
    await visitor.reads(title);
    await visitor.goto(`/organizations/${id}/members`); // where people have a task
    await visitor.sees('Members');
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.getByText(title).count()).toBe(0);
    await visitor.goto('/organizations');
    await visitor.reads(title);
    await visitor.press('Not now');
    await visitor.page.getByText(title).waitFor({ state: 'detached' });
    await visitor.page.reload();
    await visitor.sees('Organizations');
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.getByText(title).count()).toBe(0);
  });

  it('joins an organization by an invitation, with a passkey in place of a password', async () => {
    const organization = await Organization.found(app);
    const email = 'invited-by-passkey@example.com';
    await organization.call('POST', '/invitations', { email, roles: ['member'] });
    await addAuthenticator();
    await visitor.goto(await mailedLink(app, email));
    await visitor.press('Use a passkey instead of a password');
    await visitor.fill('First name', 'Grace');
    await visitor.press('Create account, then add a passkey');
    await visitor.sees('Security');
    await visitor.reads('You are a member now. Add your passkey here.');
    await visitor.press('Add passkey');
    await visitor.press('I have saved them');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.reads(email);
    const signedIn = await app.sql('SELECT password_hash FROM accounts WHERE email_key = $1', [email]);
    expect(signedIn).toEqual([{ password_hash: null }]);
  });

  it('are offered as a passkey after a password, and not to a person who has one', async () => {
    await addAuthenticator();
    const title = 'Sign in without a password next time';
    const person = await Person.signUp(app);
    await visitor.goto('/organizations');
    await visitor.signIn(person);
    await visitor.reads(title);
    await visitor.press('Add passkey');
    await dialog('Save your recovery codes').getByRole('button', { name: 'I have saved them' }).click();
    await visitor.page.getByText(title).waitFor({ state: 'detached' });
    expect(await app.sql('SELECT 1 FROM passkeys WHERE account_id = $1', [person.id])).toHaveLength(1);
    await suggestNothing();
    await signOut();
    await visitor.signIn(person);
    await visitor.press('Use passkey');
    await visitor.sees('Organizations');
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.getByText(title).count()).toBe(0);
  });

  it('are offered as a passkey between two tasks, and not above the pages of an organization', async () => {
    const title = 'Sign in without a password next time';
    const organization = await Organization.found(app);
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(person);
    await visitor.sees('Members');
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.getByText(title).count()).toBe(0);
    await visitor.press(/^My account/);
    await visitor.press('Profile');
    await visitor.reads(title);
  });

  it('are not offered again after the person has declined, or after a reload', async () => {
    const title = 'Sign in without a password next time';
    const person = await Person.signUp(app);
    await visitor.goto('/organizations');
    await visitor.signIn(person);
    await visitor.reads(title);
    await visitor.page.reload();
    await visitor.sees('Organizations');
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.getByText(title).count()).toBe(0);
    await signOut();
    await visitor.signIn(person);
    await visitor.press('Not now');
    await signOut();
    await visitor.signIn(person);
    await visitor.sees('Organizations');
    await visitor.page.waitForLoadState('networkidle');
    expect(await visitor.page.getByText(title).count()).toBe(0);
  });

  /** A person whose second factors will be removed by an operator. */
  const withReset = async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    await app.command('authenticators:reset', '--account', person.email, '--reason', 'Lost phone');
    return { person, totp };
  };
  const pendingResets = ({ id }: Person) =>
    app.sql('SELECT 1 FROM factor_resets WHERE account_id = $1 AND ended_at IS NULL', [id]);

  it('stay, if the person cancels their removal at the portal', async () => {
    const { person, totp } = await withReset();
    await visitor.goto('/organizations');
    await visitor.signIn(person);
    await enter('Code', totp.next());
    await visitor.reads('Your second factors will be removed');
    await visitor.press('Cancel the removal');
    await visitor.page.getByText('Your second factors will be removed').waitFor({ state: 'detached' });
    expect(await pendingResets(person)).toEqual([]);
  });

  it('stay, if the person cancels their removal by the mail, with a press', async () => {
    const { person } = await withReset();
    let link = '';
    await eventually('the mail about the removal', async () => {
      const mails = (await app.mails(person.email)).join('\n').replace(/=\n/g, '').replaceAll('=3D', '=');
      link = /http:\S+cancel-authenticator-reset\?token=[\w-]{43}/.exec(mails)?.[0] ?? '';
      return link !== '';
    });
    const { pathname, search } = new URL(link);
    await visitor.goto(pathname + search);
    await visitor.sees('Keep your second factors?');
    expect(new URL(visitor.page.url()).search).toBe('');
    expect(await pendingResets(person)).toHaveLength(1);
    await visitor.press('Cancel the removal');
    await visitor.sees('Your second factors stay');
    expect(await pendingResets(person)).toEqual([]);
    await visitor.page.reload();
    await visitor.press('Cancel the removal');
    await visitor.sees('This link is no longer valid');
  });

  /** A signed-in person with a passkey, in a browser that confirms each request. */
  const withPasskey = async () => {
    const { cdp, authenticatorId } = await addAuthenticator();
    const person = await Person.signUp(app);
    await visitor.goto(SECURITY);
    await visitor.signIn(person);
    await visitor.press('Add passkey');
    await dialog('Save your recovery codes').getByRole('button', { name: 'I have saved them' }).click();
    await visitor.reads('Chrome on Linux');
    const credentials = async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
    /** Sets whether the browser confirms requests; if not, they wait. */
    const confirmRequests = (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    return { person, credentials, confirmRequests };
  };
  const suggestNothing = async () => {
    await visitor.page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)',
    );
    await visitor.page.reload();
  };

  it('sign in by a passkey alone, by the button', async () => {
    const { person } = await withPasskey();
    await suggestNothing();
    await signOut();
    await visitor.press('Sign in with a passkey');
    await visitor.sees('Organizations');
    const [session] = await app.sql(
      'SELECT phr_at IS NOT NULL AS phr FROM sessions WHERE account_id = $1 ORDER BY created_at DESC LIMIT 1',
      [person.id],
    );
    expect(session).toEqual({ phr: true });
  });

  it('sign in by the passkey that the browser suggests for the address', async () => {
    await withPasskey();
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.sees('Organizations'); // this browser chooses the suggestion at once
  });

  it('are suggested with new options whenever those before have expired', async () => {
    const { confirmRequests } = await withPasskey();
    await confirmRequests(false);
    await visitor.page.addInitScript(EXPIRY_BY_HAND);
    await visitor.page.reload();
    let requests = 0;
    visitor.page.on('request', (request) => {
      if (new URL(request.url()).pathname === OPTIONS) requests += 1;
    });
    await signOut();
    for (let round = 1; round <= 3; round += 1) {
      await eventually(`suggestions begin, time ${round}`, async () => {
        const begun = await visitor.page.evaluate<number>('globalThis.suggestions.length');
        return begun === round && requests === round;
      });
      if (round === 3) await confirmRequests(true);
      await visitor.page.evaluate('globalThis.suggestions.at(-1).expire()');
    }
    await visitor.sees('Organizations');
  });

  it('are suggested again when the browser is back online', async () => {
    const { confirmRequests } = await withPasskey();
    await confirmRequests(false);
    await visitor.page.addInitScript(EXPIRY_BY_HAND);
    await visitor.page.reload();
    await signOut();
    const begun = async (count: number) =>
      eventually(`suggestions begin, time ${count}`, async () => {
        return (await visitor.page.evaluate<number>('globalThis.suggestions.length')) === count;
      });
    await begun(1);
    const context = visitor.page.context();
    await context.setOffline(true);
    const failed = visitor.page.waitForEvent('requestfailed', (request) => request.url().endsWith(OPTIONS));
    await visitor.page.evaluate('globalThis.suggestions.at(-1).expire()');
    await failed;
    expect(await visitor.page.getByRole('alert').count()).toBe(0);
    await context.setOffline(false);
    await begun(2);
    await confirmRequests(true);
    await visitor.page.evaluate('globalThis.suggestions.at(-1).expire()');
    await visitor.sees('Organizations');
  });

  it('are suggested after requests for options that failed, with longer and longer pauses', async () => {
    await withPasskey();
    await visitor.page.addInitScript(NO_PAUSES);
    await visitor.page.reload();
    let failures = 3;
    await visitor.page.route(`**${OPTIONS}`, (route) =>
      failures-- > 0 ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.sees('Organizations'); // this browser chooses the suggestion at once
    expect(await visitor.page.evaluate('globalThis.pauses')).toEqual([5_000, 10_000, 20_000]);
  });

  it('confirm a password by a passkey', async () => {
    const { person } = await withPasskey();
    await suggestNothing();
    await signOut();
    await visitor.signIn(person);
    await visitor.sees(SECOND_FACTOR);
    await visitor.press('Use passkey');
    await visitor.sees('Organizations');
  });

  it('replace the password, which the person removes', async () => {
    const { person } = await withPasskey();
    await visitor.press('Remove password');
    const ask = visitor.page.getByRole('alertdialog');
    await ask.getByRole('button', { name: 'Remove password' }).click();
    await dialog('Confirm it is you').getByRole('button', { name: 'Use passkey' }).click();
    await visitor.reads('Password removed. You sign in with a passkey.');
    await visitor.page.getByRole('button', { name: 'Remove password' }).waitFor({ state: 'detached' });
    expect((await login(app, person)).status).toBe(401);
    await suggestNothing();
    await signOut();
    await visitor.press('Sign in with a passkey');
    await visitor.sees('Organizations');
  });

  it('are removed from the browser where they were removed from the account', async () => {
    const { person, credentials } = await withPasskey();
    expect(await credentials()).toBe(1);
    await app.sql('DELETE FROM passkeys WHERE account_id = $1', [person.id]); // on another device
    await visitor.page.reload();
    await visitor.reads('No second factor yet');
    await eventually('the browser removes the passkey', async () => (await credentials()) === 0);
  });

  it('show the name of today in the browser', async () => {
    const { person } = await withPasskey();
    await visitor.page.addInitScript(
      'PublicKeyCredential.signalCurrentUserDetails = (details) => ((globalThis.signalled = details), Promise.resolve())',
    );
    await app.call('PATCH', '/api/v1/iam/me', { firstName: 'Augusta' }, { token: person.token });
    await visitor.page.reload();
    await eventually('the browser is told', async () => {
      const told = await visitor.page.evaluate<object | undefined>('globalThis.signalled');
      return JSON.stringify(told)?.includes('"displayName":"Augusta"') === true;
    });
    expect(await visitor.page.evaluate('globalThis.signalled')).toMatchObject({ name: person.email });
  });

  it('tell the browser of a passkey that was removed', async () => {
    const { person, credentials } = await withPasskey();
    await suggestNothing();
    await signOut();
    expect(await credentials()).toBe(1);
    await app.sql('DELETE FROM passkeys WHERE account_id = $1', [person.id]);
    await visitor.press('Sign in with a passkey');
    await visitor.reads('This passkey does not work here');
    await eventually('the browser removes the passkey', async () => (await credentials()) === 0);
  });
});
