import { mayEndInBrowser, type Browser } from '../../src/external-identity/browser-cookie.js';
import type { FlowState } from '../../src/external-identity/flow/state/state-store.js';

const OWN = 'hash of the cookie';
const STARTED: FlowState = {
  kind: 'oidc',
  flowId: 'flow',
  keyId: 'key',
  returnUri: 'https://portal.example/return',
  expiresAt: 0,
};
const BY_BROWSER: FlowState = { ...STARTED, browser: OWN, begunByBrowser: true };
const HERE: Browser = { bound: true, hash: OWN, isBrowser: true };
const PROGRAM: Browser = { bound: true, hash: null, isBrowser: false };
const link = { userId: 'user', sessionId: 'session' } as FlowState['link'] & object;

describe('A flow may end', () => {
  it.each<[string, FlowState, Browser]>([
    ['in the browser that started it', BY_BROWSER, HERE],
    ['in a program, if a program started it', STARTED, PROGRAM],
    ['in the browser whose cookie a program started it with', { ...STARTED, browser: OWN }, HERE],
    ['anywhere with a code challenge', { ...BY_BROWSER, codeChallenge: 'challenge' }, { ...HERE, hash: 'x' }],
    ['anywhere with an account that links', { ...BY_BROWSER, link }, { ...HERE, hash: 'x' }],
    ['anywhere where flows are not bound', BY_BROWSER, { ...HERE, bound: false, hash: null }],
  ])('%s', (_, state, browser) => {
    expect(mayEndInBrowser(state, browser)).toBe(true);
  });
});

describe('A flow may not end', () => {
  it.each<[string, FlowState, Browser]>([
    ['in another browser', BY_BROWSER, { ...HERE, hash: 'of another cookie' }],
    ['in a browser without a cookie', BY_BROWSER, { ...HERE, hash: null }],
    ['in a browser, if a program started it', STARTED, HERE],
    [
      'in another browser, if it tests a connection',
      { ...BY_BROWSER, testId: 'test' },
      { ...HERE, hash: 'x' },
    ],
    ['in a browser, if a program started a test', { ...STARTED, testId: 'test' }, HERE],
    ['in a browser without a cookie, if a program started it', STARTED, { ...HERE, hash: null }],
    ['in a program, if a browser started it', BY_BROWSER, PROGRAM],
    [
      'in a program without a cookie, though none was recorded',
      { ...STARTED, begunByBrowser: true },
      PROGRAM,
    ],
    [
      'in a browser without a cookie, though the state names none',
      { ...BY_BROWSER, browser: null as never },
      { ...HERE, hash: null },
    ],
  ])('%s', (_, state, browser) => {
    expect(mayEndInBrowser(state, browser)).toBe(false);
  });
});
