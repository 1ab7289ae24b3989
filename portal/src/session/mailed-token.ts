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
  const invitation = parameters.get('invitation');
  if (token !== null) history.replaceState({ token, fingerprint, invitation }, '', location.pathname);
}

/** Query of the first page after the test sign-in of a connection, which returns to that page. */
export const TEST_FINISHED = '?test-finished';

/**
 * Removes the fragment of an external sign-in from the address, on all pages except the one that
 * reads it. Of a test sign-in, the address keeps that it has ended.
 */
export function removeFragment(): void {
  const { hash, pathname, search } = location;
  if (hash === '' || pathname === PAGE_PATHS.signedIn) return;
  const isTest = pathname === PAGE_PATHS.home && new URLSearchParams(hash.slice(1)).has('test');
  history.replaceState(history.state, '', `${pathname}${isTest ? TEST_FINISHED : search}`);
}

/** What a mailed link carried, in the entry of the page that it opened. */
interface Carried {
  readonly token?: string;
  readonly fingerprint?: string | null;
  readonly invitation?: string | null;
}

const carried = (): Carried => (history.state as Carried | null) ?? {};

/** The token of the link that opened this page. */
export const mailedToken = (): string | null => carried().token ?? null;

/** The fingerprint by which a browser recognises the link of its own registration. */
export const mailedFingerprint = (): string | null => carried().fingerprint ?? null;

/** Token of the invitation by which the person has registered. */
export const mailedInvitation = (): string | null => carried().invitation ?? null;

/** Stores in this tab the invitation of a user who must register or sign in first. */
export const invitation = {
  token: (): string | null => mailedToken() ?? invitation.kept(),
  kept: (): string | null => sessionStorage.getItem(INVITATION),
  keep: (token: string): void => sessionStorage.setItem(INVITATION, token),
  drop: (): void => sessionStorage.removeItem(INVITATION),
};
