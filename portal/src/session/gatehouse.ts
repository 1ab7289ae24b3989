import { Gatehouse, UnreachableError, type Refresh, type TokenStorage } from '@gatehouse/client';
import { askToConfirm } from './confirmation.ts';
import { knowledge } from './knowledge.ts';

const url = location.origin;
const PATH = '/api/v1/iam/auth/portal/session';
const REFRESH_TIMEOUT_MS = 10_000;
const HAND_IN_PAUSE_MS = 1_000;

/** Speaks for nobody. What it asks with cookies, it asks this page's own server. */
const anonymous = new Gatehouse({ url });
const withCookies = { credentials: 'same-origin' } as const;

/**
 * The session lies in cookies. The refresh token is in one that no script can read, so here it is an empty text, except for the moment in
 * which a sign-in hands it in.
 */
const cookies: TokenStorage = {
  name: 'portal',
  read: () => {
    const sessionId = currentSessionId();
    return sessionId === null ? null : { sessionId, refreshToken: '' };
  },
  write: async (session) => {
    if (session === null) await anonymous.delete(PATH, withCookies);
    else if (session.refreshToken !== '') await handIn(session.refreshToken);
  },
};

/** Where the answer was lost, the cookies with it, the service gives the same once more. */
async function handIn(refreshToken: string, tries = 3): Promise<void> {
  try {
    await anonymous.post(PATH, { ...withCookies, body: { refreshToken } });
  } catch (error) {
    if (!(error instanceof UnreachableError) || tries === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, HAND_IN_PAUSE_MS));
    await handIn(refreshToken, tries - 1);
  }
}

const refresh: Refresh = async (_refreshToken, tenantId) => {
  const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
  const body = tenantId === null ? {} : { tenantId };
  try {
    const { data } = await anonymous.post(PATH, { ...withCookies, body, signal });
    return { ...data, refreshToken: '' };
  } catch (error) {
    throw error === signal.reason ? new UnreachableError('no answer in time', { cause: error }) : error;
  }
};

/** The sign-in of this tab, and every operation of the service. */
export const gatehouse = new Gatehouse({ url, storage: cookies, refresh, onStepUp: askToConfirm });

/** The session that this browser is in, whoever of its tabs has begun it. */
export function currentSessionId(): string | null {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='));
  return pairs.find(([name]) => name === knowledge.sessionCookie)?.[1] || null;
}
