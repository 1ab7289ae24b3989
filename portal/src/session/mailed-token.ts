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

/**
 * Moves the token of a set-up link from the address to the history entry, as that of a mailed link:
 * the page can be reloaded, and no screenshot or copied address has it.
 */
export function moveSetupTokenToHistory(): void {
  const [, setupToken] = /^\/setup\/([^/]+)\/?$/.exec(location.pathname) ?? [];
  if (setupToken !== undefined) history.replaceState({ setupToken }, '', PAGE_PATHS.setUp);
}

/** Pages that read the fragment of their address themselves. */
const READERS: readonly string[] = [PAGE_PATHS.signedIn, PAGE_PATHS.station];

/**
 * Removes the fragment of an external sign-in from the address, on all pages except those that
 * read it. A test sign-in of a connection returns to the first page, and gets its own page.
 */
export function removeFragment(): void {
  const { hash, pathname, search } = location;
  if (hash === '' || READERS.includes(pathname)) return;
  const isTest = pathname === PAGE_PATHS.home && new URLSearchParams(hash.slice(1)).has('test');
  history.replaceState(history.state, '', isTest ? PAGE_PATHS.testFinished : `${pathname}${search}`);
}

/** What a mailed link carried, in the entry of the page that it opened. */
interface Carried {
  readonly token?: string;
  readonly fingerprint?: string | null;
  readonly invitation?: string | null;
  readonly setupToken?: string;
}

const carried = (): Carried => (history.state as Carried | null) ?? {};

/** Shape of all tokens of mailed links: mail programs and people cut links short. */
const WHOLE_TOKEN = /^[\w-]{43}$/;

/** The token of the link that opened this page; null if the link has lost a part of it. */
export function mailedToken(): string | null {
  const { token } = carried();
  return token !== undefined && WHOLE_TOKEN.test(token) ? token : null;
}

/** The code of the link that opened this page, or its token as it is. */
export const mailedCode = (): string | null => carried().token ?? null;

/** The token of the set-up link that opened this page. */
export const setupToken = (): string | null => carried().setupToken ?? null;

/** The fingerprint by which a browser recognises the link of its own registration. */
export const mailedFingerprint = (): string | null => carried().fingerprint ?? null;

/** Token of the invitation by which the person has registered. */
export const mailedInvitation = (): string | null => carried().invitation ?? null;

/** Stores in this tab the invitation of a user who must register or sign in first. */
export const invitation = {
  token: (): string | null => mailedCode() ?? invitation.kept(),
  kept: (): string | null => sessionStorage.getItem(INVITATION),
  keep: (token: string): void => sessionStorage.setItem(INVITATION, token),
  drop: (): void => sessionStorage.removeItem(INVITATION),
};
