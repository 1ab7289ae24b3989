import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

/** The file with the pages for registration, reset and so on. */
const ENTRANCE = /\/assets\/entrance-[\w-]+\.js$/;
const GONE = { status: 404, contentType: 'application/problem+json', body: '{}' };

describeWith([CHROMIUM], 'Pages that are loaded when they are needed', () => {
  let documents: number;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    documents = 0;
    visitor.page.on('request', (request) => {
      if (request.resourceType() === 'document') documents += 1;
    });
  });

  /** Holds the file until the returned function is called. */
  const holdEntrance = async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    await visitor.page.route(ENTRANCE, async (route) => {
      await held;
      await route.continue();
    });
    return release;
  };

  it('leave the page before in place until they are loaded', async () => {
    const release = await holdEntrance();
    await visitor.goto('/sign-in');
    const asked = visitor.page.waitForRequest(ENTRANCE);
    await visitor.press('Create an account');
    await asked;
    await visitor.sees('Sign in');
    const bar = visitor.page.getByRole('progressbar', { name: 'Working' });
    await bar.waitFor();
    release();
    await visitor.sees('Create an account');
    await bar.waitFor({ state: 'detached' });
    await visitor.page.goBack();
    await visitor.sees('Sign in');
  });

  it('begin with the address that was typed at the sign-in, also while they were loaded', async () => {
    const release = await holdEntrance();
    await visitor.goto('/sign-in');
    await visitor.press('Forgot password?');
    await visitor.fill('Email address', 'late@example.com');
    release();
    await visitor.press('Send link');
    await visitor.sees('Check your email');
    await visitor.reads(/late@example\.com/);
    await visitor.press('Back to sign-in');
    await visitor.press('Create an account');
    expect(await visitor.page.getByLabel('Email address').inputValue()).toBe('late@example.com');
  });

  it('do not know the address of a user who has signed in and out', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/sign-in');
    await visitor.signIn(person);
    await visitor.sees('Organizations');
    await visitor.page.getByRole('button', { name: 'Account' }).click();
    await visitor.press('Sign out');
    await visitor.press('Forgot password?');
    await visitor.sees('Forgot password?');
    expect(await visitor.page.getByLabel('Email address').inputValue()).toBe('');
  });

  it('are loaded before a sign-in is sent', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/sign-in');
    await visitor.signIn(person);
    await visitor.sees('Organizations');
    expect(documents).toBe(1);
  });

  it('load the document once more if their file is gone, as after an upgrade', async () => {
    await visitor.page.route(ENTRANCE, (route) => (documents === 1 ? route.fulfill(GONE) : route.continue()));
    await visitor.goto('/sign-in');
    await visitor.press('Create an account');
    await visitor.sees('Create an account');
    expect(documents).toBe(2);
  });

  it('do not load it again and again', async () => {
    await visitor.page.route(ENTRANCE, (route) => route.fulfill(GONE));
    await visitor.goto('/sign-in');
    await visitor.press('Create an account');
    await visitor.sees('This page could not be loaded');
    expect(documents).toBe(2);
    await visitor.page.unroute(ENTRANCE);
    await visitor.press('Try again');
    await visitor.sees('Create an account');
  });

  it('do not load it without a connection, and keep the way back', async () => {
    await visitor.goto('/sign-in');
    await visitor.page.context().setOffline(true);
    await visitor.press('Create an account');
    await visitor.sees('This page could not be loaded');
    await visitor.page.goBack();
    await visitor.sees('Sign in');
    expect(documents).toBe(1);
  });
});
