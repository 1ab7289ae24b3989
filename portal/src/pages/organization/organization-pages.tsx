import { useQuery } from '@tanstack/react-query';
import { Link, Redirect, Route, Switch } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { useMyTenants } from '../../session/queries.ts';
import { AppFrame } from '../../ui/app-frame.tsx';
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
  const { data: tenants } = useMyTenants();
  const isArchived = tenants?.find(({ id }) => id === tenantId)?.status === 'archived';
  if (entry.error) return <NoEntry error={entry.error} retry={() => void entry.refetch()} />;
  const allowed = entry.data;
  const pages: [string, string][] = [
    [P.members, text('nav.members')],
    ...(allowed?.['iam:invitation:read']
      ? [[P.invitations, text('nav.invitations')] as [string, string]]
      : []),
    [P.roles, text('roles')],
    ...(allowed?.['iam:audit:read'] ? [[P.trail, text('nav.trail')] as [string, string]] : []),
    ...(allowed?.['iam:role:create'] ? [[P.playground, text('nav.tester')] as [string, string]] : []),
    [P.organizationSettings, text('nav.settings')],
  ];
  const nav = {
    label: text('frame.organization-pages'),
    pages: pages.map(([path, label]) => [pathIn(path, tenantId), label] as const),
  };
  if (!allowed)
    return (
      <AppFrame tenantId={tenantId} nav={{ ...nav, pages: [] }}>
        <Skeleton label={text('organization.loading')} />
      </AppFrame>
    );
  const props = { tenantId, allowed };
  return (
    <AppFrame tenantId={tenantId} nav={nav}>
      {isArchived && (
        <Notice kind="care" title={text('organization.archived.title')}>
          <p>{text('organization.archived.text')}</p>
        </Notice>
      )}
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
          <Trail {...props} />
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
      <Page title={text(isStranger ? 'organization.no-access' : 'organization.failed')}>
        {isStranger ? (
          <Notice>
            <p>{text('organization.no-access.text')}</p>
          </Notice>
        ) : (
          <ErrorNotice error={error} onRetry={retry} />
        )}
        <p>
          <Link href={P.organizations}>{text('frame.all-organizations')}</Link>
        </p>
      </Page>
    </AppFrame>
  );
}
