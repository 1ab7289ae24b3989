import { text } from '../../messages/index.ts';
import { PAGE_PATHS as P, pathIn } from '../../session/paths.ts';
import type { PageGroup } from '../../ui/page-nav.tsx';
import type { Allowed } from './allowed.ts';

/** Pages of an organization that a member with these permissions can use. */
export function organizationGroups(tenantId: string, allowed: Allowed): readonly PageGroup[] {
  const groups: [label: string | null, pages: [isShown: boolean, path: string, label: string][]][] = [
    [null, [[allowed['iam:overview:read'], P.overview, text('overview')]]],
    [
      text('nav.group.people'),
      [
        [true, P.members, text('nav.members')],
        [allowed['iam:invitation:read'], P.invitations, text('nav.invitations')],
        [allowed['iam:worker:read'], P.workers, text('nav.workers')],
        [allowed['iam:access-request:create'], P.accessRequests, text('nav.access-requests')],
        [true, P.roles, text('roles')],
        [
          allowed['iam:partnership:read'] || allowed['iam:partner-access:read'],
          P.partners,
          text('nav.partners'),
        ],
      ],
    ],
    [
      text('nav.group.sign-in'),
      [
        [allowed['iam:sign-in-policy:read'], P.signInPolicy, text('nav.sign-in-policy')],
        [allowed['iam:station:read'], P.stations, text('nav.stations')],
        [allowed['iam:connection:read'], P.singleSignOn, text('nav.single-sign-on')],
        [allowed['iam:directory:read'], P.directories, text('nav.directories')],
      ],
    ],
    [
      text('nav.group.developers'),
      [
        [allowed['iam:client:read'], P.apps, text('nav.apps')],
        [allowed['iam:client:read'], P.agents, text('nav.agents')],
        [allowed['iam:client:read'], P.apis, text('nav.apis')],
        [allowed['iam:service-account:read'], P.serviceAccounts, text('nav.service-accounts')],
        [allowed['webhooks:subscription:read'], P.webhooks, text('nav.webhooks')],
        [allowed['iam:role:create'], P.playground, text('nav.tester')],
      ],
    ],
    [
      text('nav.group.organization'),
      [
        [allowed['iam:audit:read'], P.trail, text('nav.trail')],
        [true, P.organizationSettings, text('nav.settings')],
      ],
    ],
  ];
  return groups.map(([label, pages]) => ({
    label,
    pages: pages
      .filter(([isShown]) => isShown)
      .map(([, path, name]) => [pathIn(path, tenantId), name] as const),
  }));
}
