import { PAGE_PATHS } from './paths.ts';

const INVITATION = 'gatehouse.invitation';

/**
 * Moves the token of a mailed link from the address to the history entry, so that it is in no
 * bookmark, screenshot or copied link, and the page can still be reloaded.
 */
export function moveMailedTokenToHistory(): void {
  const parameters = new URLSearchParams(location.search);
  const token = parameters.get('token');
  const fingerprint = parameters.get('for');
  if (token !== null) history.replaceState({ token, fingerprint }, '', location.pathname);
}

/**
 * Removes the fragment of an external sign-in from the address, on all pages except the one that
 * reads it.
 */
export function removeFragment(): void {
  const { hash, pathname, search } = location;
  if (hash !== '' && pathname !== PAGE_PATHS.signedIn)
    history.replaceState(history.state, '', `${pathname}${search}`);
}

/** The token of the link that opened this page. */
export const mailedToken = (): string | null => (history.state as { token?: string } | null)?.token ?? null;

/** The fingerprint by which a browser recognises the link of its own registration. */
export const mailedFingerprint = (): string | null =>
  (history.state as { fingerprint?: string | null } | null)?.fingerprint ?? null;

/** Stores in this tab the invitation of a user who must sign in first. */
export const invitation = {
  token: (): string | null => mailedToken() ?? sessionStorage.getItem(INVITATION),
  keep: (token: string): void => sessionStorage.setItem(INVITATION, token),
  drop: (): void => sessionStorage.removeItem(INVITATION),
};
