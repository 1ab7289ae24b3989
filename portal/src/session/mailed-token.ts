import { PAGE_PATHS } from './paths.ts';

const INVITATION = 'gatehouse.invitation';

/**
 * Takes the token of a mailed link out of the address, so that it is in no bookmark, no screenshot and no copied link. It stays with this
 * entry of the history, so that the page can be loaded again.
 */
export function takeMailedToken(): void {
  const parameters = new URLSearchParams(location.search);
  const token = parameters.get('token');
  const fingerprint = parameters.get('for');
  if (token !== null) history.replaceState({ token, fingerprint }, '', location.pathname);
}

/** Takes what a sign-in elsewhere has put behind the # out of the address, on every page but the one that looks at it. */
export function dropFragment(): void {
  const { hash, pathname, search } = location;
  if (hash !== '' && pathname !== PAGE_PATHS.signedIn)
    history.replaceState(history.state, '', `${pathname}${search}`);
}

/** The token of the link that has opened this page. */
export const mailedToken = (): string | null => (history.state as { token?: string } | null)?.token ?? null;

/** By which a browser recognises the link of its own registration. */
export const mailedFingerprint = (): string | null =>
  (history.state as { fingerprint?: string | null } | null)?.fingerprint ?? null;

/** An invitation whose reader has to sign in first waits in this tab. */
export const invitation = {
  token: (): string | null => mailedToken() ?? sessionStorage.getItem(INVITATION),
  keep: (token: string): void => sessionStorage.setItem(INVITATION, token),
  drop: (): void => sessionStorage.removeItem(INVITATION),
};
