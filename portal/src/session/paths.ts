import { PAGE_PATHS } from '../../../src/portal/page-paths.ts';

export { PAGE_PATHS };

/** Path of a page of an organization. */
export const pathIn = (page: string, tenantId: string): string => page.replace(':tenantId', tenantId);

/**
 * Path of the sign-in page of an organization.
 * @param organization its slug, or its id
 */
export const signInOf = (organization: string): string =>
  PAGE_PATHS.organizationSignIn.replace(':organization', organization);

/** Restricts the target after a sign-in to a page of this portal. */
export function safeNext(wanted: string | null): string {
  const fallback = PAGE_PATHS.home;
  if (wanted === null || !URL.canParse(wanted, location.origin)) return fallback;
  const { origin, pathname, search } = new URL(wanted, location.origin);
  const isPage = origin === location.origin && !pathname.startsWith('//'); // which would be a host
  return isPage ? `${pathname}${search}` : fallback;
}

/**
 * Path of the sign-in page, with the page to return to.
 * @param organization slug or id of the one whose look the page shows
 */
export const signInTo = (next: string, organization?: string): string =>
  `${PAGE_PATHS.signIn}?${new URLSearchParams({ next, ...(organization !== undefined && { organization }) })}`;

/**
 * Returns the page, if it is the request of an app: it holds all that is needed, so that a newcomer
 * can continue with it in another tab. Otherwise null.
 */
export function appRequest(page: string | null): string | null {
  const next = safeNext(page);
  return [PAGE_PATHS.authorize, PAGE_PATHS.signIn].some((path) => next.startsWith(`${path}?`)) ? next : null;
}
