import { useQuery } from '@tanstack/react-query';
import { Link, Redirect, Route, Switch } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { AppFrame } from '../../ui/frames.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { Notice, ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { NoSuchPage } from '../not-here.tsx';
import { ASKED, type Allowed } from './allowed.ts';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { Playground } from './playground.tsx';
import { Roles } from './roles.tsx';
import { OrganizationSettings } from './settings.tsx';
import { Trail } from './trail.tsx';

const P = PAGE_PATHS;

/** Pages of one organization, which this tab selects; other tabs keep theirs. */
export function OrganizationPages({ tenantId }: { readonly tenantId: string }) {
  const entry = useQuery({
    queryKey: ['entry', tenantId],
    queryFn: async () => {
      await gatehouse.selectTenant(tenantId);
      const verdicts = await gatehouse.can(null, ASKED);
      return Object.fromEntries(ASKED.map((scope) => [scope, verdicts[scope].allowed])) as Allowed;
    },
    staleTime: 0,
  });
  if (entry.error) return <NoEntry error={entry.error} retry={() => void entry.refetch()} />;
  const allowed = entry.data;
  const pages: [string, string][] = [
    [P.members, 'Members'],
    ...(allowed?.['iam:invitation:read'] ? [[P.invitations, 'Invitations'] as [string, string]] : []),
    [P.roles, 'Roles'],
    ...(allowed?.['iam:audit:read'] ? [[P.trail, 'Audit trail'] as [string, string]] : []),
    [P.playground, 'Playground'],
    [P.organizationSettings, 'Settings'],
  ];
  const nav = {
    label: 'Pages of the organization',
    pages: pages.map(([path, label]) => [pathIn(path, tenantId), label] as const),
  };
  if (!allowed)
    return (
      <AppFrame tenantId={tenantId} nav={{ ...nav, pages: [] }}>
        <Skeleton label="the organization" />
      </AppFrame>
    );
  const props = { tenantId, allowed };
  return (
    <AppFrame tenantId={tenantId} nav={nav}>
      <Switch>
        <Route path={P.organization}>
          <Redirect to={pathIn(P.members, tenantId)} replace />
        </Route>
        <Route path={P.members}>
          <Members {...props} />
        </Route>
        <Route path={P.invitations}>
          <Invitations {...props} />
        </Route>
        <Route path={P.roles}>
          <Roles {...props} />
        </Route>
        <Route path={P.trail}>
          <Trail tenantId={tenantId} />
        </Route>
        <Route path={P.playground}>
          <Playground tenantId={tenantId} />
        </Route>
        <Route path={P.organizationSettings}>
          <OrganizationSettings tenantId={tenantId} />
        </Route>
        <Route component={NoSuchPage} />
      </Switch>
    </AppFrame>
  );
}

function NoEntry({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const isStranger =
    error instanceof ProblemError && ['not-a-member', 'validation-error'].includes(error.code);
  return (
    <AppFrame>
      <Page title={isStranger ? 'You are not a member here' : 'This organization does not open'}>
        {isStranger ? (
          <Notice>
            <p>
              Either there is no such organization, or your membership has ended. Ask one of its owners to
              invite you again.
            </p>
          </Notice>
        ) : (
          <ErrorNotice error={error} onRetry={retry} />
        )}
        <p>
          <Link href={P.organizations}>All organizations</Link>
        </p>
      </Page>
    </AppFrame>
  );
}
