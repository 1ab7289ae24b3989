import { Gatehouse, UnreachableError, type Refresh, type TokenStorage } from '@gatehouse/client';
import { intlLocale } from '../messages/index.ts';
import { askToConfirm } from './confirmation.ts';
import { configuration } from './configuration.ts';

const url = location.origin;
const PATH = '/api/v1/iam/auth/portal/session';
const REFRESH_TIMEOUT_MS = 10_000;
const RETRY_PAUSE_MS = 1_000;

/** Asks the service for texts in the language of the page. */
const fetchInLocale: typeof fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('accept-language', intlLocale());
  return fetch(request);
};

/** Sends anonymous requests, and those with cookies, to this page's own server. */
export const anonymous = new Gatehouse({ url, fetch: fetchInLocale });
const withCookies = { credentials: 'same-origin' } as const;

/**
 * Stores the session in cookies. Scripts cannot read the refresh token, so that it is empty here,
 * except when a sign-in stores it.
 */
const cookies: TokenStorage = {
  name: 'portal',
  read: () => {
    const sessionId = currentSessionId();
    return sessionId === null ? null : { sessionId, refreshToken: '' };
  },
  write: async (session) => {
    if (session === null) await anonymous.delete(PATH, withCookies);
    else if (session.refreshToken !== '') await storeRefreshToken(session.refreshToken);
  },
};

/**
 * Stores the refresh token in the cookie. Repeats the request if its response was lost: the service
 * returns the same successor.
 */
async function storeRefreshToken(refreshToken: string, tries = 3): Promise<void> {
  try {
    await anonymous.post(PATH, { ...withCookies, body: { refreshToken } });
  } catch (error) {
    if (!(error instanceof UnreachableError) || tries === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
    await storeRefreshToken(refreshToken, tries - 1);
  }
}

const refresh: Refresh = async (_refreshToken, tenantId) => {
  const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
  const body = tenantId === null ? {} : { tenantId };
  try {
    const { data } = await anonymous.post(PATH, { ...withCookies, body, signal });
    return { ...data, refreshToken: '' };
  } catch (error) {
    throw error === signal.reason ? new UnreachableError('no response in time', { cause: error }) : error;
  }
};

/** Signs this tab in and calls the operations of the service. */
export const gatehouse = new Gatehouse({
  url,
  fetch: fetchInLocale,
  storage: cookies,
  refresh,
  onStepUp: askToConfirm,
  tenantStorage: null, // the address of the page names it
});

/** Id of this browser's session, started in any of its tabs. */
export function currentSessionId(): string | null {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='));
  return pairs.find(([name]) => name === configuration.sessionCookie)?.[1] || null;
}
