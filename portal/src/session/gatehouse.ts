import {
  Gatehouse,
  SignedOutError,
  UnreachableError,
  type Refresh,
  type TokenStorage,
} from '@gatehouse/client';
import { textLocale } from '../messages/index.ts';
import { acting, stopActing } from './acting.ts';
import { askToConfirm } from './confirmation.ts';
import { configuration } from './configuration.ts';

const url = location.origin;
const PATH = '/api/v1/iam/auth/portal/session';
const REFRESH_TIMEOUT_MS = 10_000;
const RETRY_PAUSE_MS = 1_000;

/** Asks the service for texts in the language of the page. */
export const fetchInLocale: typeof fetch = (input, init) => {
  const request = new Request(input, init);
  request.headers.set('accept-language', textLocale());
  return fetch(request);
};

/** Sends anonymous requests, and those with cookies, to this page's own server. */
export const anonymous = new Gatehouse({ url, fetch: fetchInLocale });
/** Lets the browser send and keep cookies of this page's own server. */
export const withCookies = { credentials: 'same-origin' } as const;

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

/** What the tab has done with the only token of a session in which it acts as a person. */
const ofActing = { isUsed: false, hasEnded: false };

/** Keeps a session in which this tab acts as a person: nothing of it reaches another tab. */
const actingStorage: TokenStorage = {
  read: () => (acting && !ofActing.hasEnded ? { sessionId: acting.sessionId, refreshToken: '' } : null),
  write: (session) => {
    if (session === null) ofActing.hasEnded = true;
  },
};

/**
 * Returns the only token, whatever organization is asked for. Asked for it once more, the session
 * has ended, or the service has refused it: the tab goes back to the operator's own.
 */
const refreshActing: Refresh = async (_refreshToken, wanted) => {
  const isElsewhere = wanted !== null && wanted !== acting?.tenantId;
  if (!acting || (ofActing.isUsed && !isElsewhere)) {
    stopActing();
    throw new SignedOutError();
  }
  ofActing.isUsed = true;
  const { sessionId, tenantId, accessToken, expiresAt } = acting;
  const expiresIn = Math.max(1, Math.floor((expiresAt - Date.now()) / 1_000));
  const lifetime = { expiresIn, refreshExpiresIn: expiresIn };
  return { tokenType: 'Bearer', accessToken, refreshToken: '', sessionId, tenantId, ...lifetime };
};

/** Signs this tab in and calls the operations of the service. */
export const gatehouse = new Gatehouse({
  url,
  fetch: fetchInLocale,
  storage: acting ? actingStorage : cookies,
  refresh: acting ? refreshActing : refresh,
  onStepUp: askToConfirm,
  tenantStorage: null, // the address of the page names it
});

if (acting) gatehouse.on('signed-out', stopActing);

/** Id of this browser's session, started in any of its tabs. */
export function currentSessionId(): string | null {
  if (acting) return acting.sessionId;
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='));
  return pairs.find(([name]) => name === configuration.sessionCookie)?.[1] || null;
}
