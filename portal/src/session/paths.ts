import { PAGE_PATHS } from '../../../src/portal/page-paths.ts';

export { PAGE_PATHS };

/** The address of a page of an organization. */
export const pathIn = (page: string, tenantId: string): string => page.replace(':tenantId', tenantId);

/** Where to go on after a sign-in: a page of this portal, whatever the address asks for. */
export function safeNext(wanted: string | null): string {
  const fallback = PAGE_PATHS.home;
  if (wanted === null || !URL.canParse(wanted, location.origin)) return fallback;
  const { origin, pathname, search } = new URL(wanted, location.origin);
  const isPage = origin === location.origin && !pathname.startsWith('//'); // which would name a host
  return isPage ? `${pathname}${search}` : fallback;
}

/** The sign-in page, with the way back to where somebody wanted to be. */
export const signInTo = (next: string): string => `${PAGE_PATHS.signIn}?next=${encodeURIComponent(next)}`;
