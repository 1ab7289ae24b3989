import { loadAllTexts } from '../messages/index.ts';
import { currentSessionId } from './gatehouse.ts';
import { PAGE_PATHS } from './paths.ts';
import { reloadOnce } from './reload.ts';
import { showAfter } from './shown-address.ts';

/** Pages by what is loaded together; the sign-in page is in the first file. */
const LOADERS = {
  entrance: () => import('../pages/entrance.ts'),
  organizations: () => import('../pages/organizations.tsx'),
  organization: () => import('../pages/organization/organization-pages.tsx'),
  account: () => import('../pages/account/account-pages.tsx'),
  setUp: () => import('../pages/set-up/set-up.tsx'),
  operator: () => import('../pages/operator/operator-pages.tsx'),
  station: () => import('../pages/station/station-page.tsx'),
  mailbox: () => import('../pages/mailbox.tsx'),
};

type Group = keyof typeof LOADERS;
type Loaded = { [G in Group]?: Awaited<ReturnType<(typeof LOADERS)[G]>> };

/** Pages that are loaded already. */
export const loaded: Loaded = {};
const failed = new Set<Group>();

const ENTRANCE: readonly string[] = [
  PAGE_PATHS.signedIn,
  PAGE_PATHS.register,
  PAGE_PATHS.verifyEmail,
  PAGE_PATHS.refuseRegistration,
  PAGE_PATHS.cancelAuthenticatorReset,
  PAGE_PATHS.forgottenPassword,
  PAGE_PATHS.resetPassword,
  PAGE_PATHS.emailCode,
  PAGE_PATHS.confirmEmail,
  PAGE_PATHS.undoEmail,
  PAGE_PATHS.acceptInvitation,
  PAGE_PATHS.authorize,
  PAGE_PATHS.device,
  PAGE_PATHS.signOut,
  PAGE_PATHS.testFinished,
];

/** The first pages after most sign-ins; those of one organization have far more. */
const LISTS: readonly string[] = [PAGE_PATHS.organizations, PAGE_PATHS.newOrganization];

/** @returns null for pages of the first file */
function groupOf(pathname: string): Group | null {
  if (pathname === PAGE_PATHS.home) return currentSessionId() === null ? null : 'organizations';
  if (LISTS.includes(pathname.replace(/\/$/, ''))) return 'organizations';
  if (pathname.startsWith(PAGE_PATHS.organizations)) return 'organization';
  if (pathname.startsWith(PAGE_PATHS.profile)) return 'account';
  if (pathname.startsWith(PAGE_PATHS.operator)) return 'operator';
  if (pathname.startsWith(PAGE_PATHS.mailbox)) return 'mailbox';
  if (pathname.startsWith(PAGE_PATHS.setUp)) return 'setUp';
  if (pathname.startsWith(PAGE_PATHS.station)) return 'station';
  if (pathname.startsWith('/o/')) return 'entrance';
  return ENTRANCE.includes(pathname.replace(/\/$/, '')) ? 'entrance' : null;
}

/** Loads the pages of a path, if they are not loaded yet. Never rejects. */
export async function loadPagesOf(path: string): Promise<void> {
  const group = groupOf(new URL(path, location.origin).pathname);
  if (group === null || loaded[group]) return;
  try {
    const [pages] = await Promise.all([LOADERS[group](), loadAllTexts()]);
    Object.assign(loaded, { [group]: pages });
    failed.delete(group);
  } catch {
    if (await reloadOnce()) await new Promise(() => undefined); // the page that is shown stays
    failed.add(group);
  }
}

showAfter((pathname) => {
  const group = groupOf(pathname);
  return group === null || loaded[group] ? null : loadPagesOf(pathname);
});

/** Whether the pages of a path could not be loaded. */
export function isMissing(pathname: string): boolean {
  const group = groupOf(pathname);
  return group !== null && failed.has(group);
}
