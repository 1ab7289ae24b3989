import { text, type MessageId } from '../../messages/index.ts';
import { PAGE_PATHS as P, pathIn } from '../../session/paths.ts';
import type { PageGroup } from '../../ui/page-nav.tsx';
import type { Allowed } from './allowed.ts';

type Needed = keyof Allowed;

/** A page, with the permissions of which one shows it; without any, all members see it. */
type OrganizationPage = readonly [path: string, label: MessageId, ...needs: Needed[]];

const GROUPS: readonly (readonly [label: MessageId | null, pages: readonly OrganizationPage[]])[] = [
  [null, [[P.overview, 'overview', 'iam:overview:read']]],
  [
    'nav.group.people',
    [
      [P.members, 'nav.members', 'iam:member:read'],
      [P.invitations, 'nav.invitations', 'iam:invitation:read'],
      [P.workers, 'nav.workers', 'iam:worker:read'],
      [P.accessRequests, 'nav.access-requests', 'iam:access-request:create'],
      [P.roles, 'roles', 'iam:role:read'],
      [P.partners, 'nav.partners', 'iam:partnership:read', 'iam:partner-access:read'],
    ],
  ],
  [
    'nav.group.sign-in',
    [
      [P.signInPolicy, 'nav.sign-in-policy', 'iam:sign-in-policy:read'],
      [P.stations, 'nav.stations', 'iam:station:read'],
      [P.singleSignOn, 'nav.single-sign-on', 'iam:connection:read'],
      [P.directories, 'nav.directories', 'iam:directory:read'],
    ],
  ],
  [
    'nav.group.developers',
    [
      [P.apps, 'nav.apps', 'iam:client:read'],
      [P.agents, 'nav.agents', 'iam:client:read'],
      [P.apis, 'nav.apis', 'iam:client:read'],
      [P.serviceAccounts, 'nav.service-accounts', 'iam:service-account:read'],
      [P.webhooks, 'nav.webhooks', 'webhooks:subscription:read'],
      [P.playground, 'nav.tester', 'access:decision:read', 'iam:role:create'],
    ],
  ],
  [
    'nav.group.organization',
    [
      [P.trail, 'nav.trail', 'iam:audit:read'],
      [P.organizationSettings, 'nav.settings'],
    ],
  ],
];

const isShown = ([, , ...needs]: OrganizationPage, allowed: Allowed): boolean =>
  needs.length === 0 || needs.some((scope) => allowed[scope]);

/** Pages of an organization that a member with these permissions can use. */
export const organizationGroups = (tenantId: string, allowed: Allowed): readonly PageGroup[] =>
  GROUPS.map(([label, pages]) => ({
    label: label === null ? null : text(label),
    pages: pages
      .filter((page) => isShown(page, allowed))
      .map(([path, name]) => [pathIn(path, tenantId), text(name)] as const),
  }));

/** The first page that a member with these permissions can use. */
export const firstPageOf = (tenantId: string, allowed: Allowed): string =>
  organizationGroups(tenantId, allowed).flatMap(({ pages }) => pages)[0]?.[0] ??
  pathIn(P.organizationSettings, tenantId);

/** Finds the permission that a member lacks to see a page; null if there is none. */
export function findMissing(location: string, tenantId: string, allowed: Allowed): Needed | null {
  const page = GROUPS.flatMap(([, pages]) => pages).find(([path]) =>
    `${location}/`.startsWith(`${pathIn(path, tenantId)}/`),
  );
  return page && !isShown(page, allowed) ? (page[2] ?? null) : null;
}
