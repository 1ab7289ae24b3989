import { useQuery } from '@tanstack/react-query';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { ProblemError } from '@gatehouse/client';
import { intlLocale, rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMyTenants } from '../../session/my-tenants.ts';
import { AppFrame } from '../../ui/app-frame.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice, ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { NoSuchPage } from '../not-here.tsx';
import { ASKED, type Allowed, entryKey, mayTry } from './allowed.ts';
import { Agents } from './agents.tsx';
import { Apis } from './apis/apis.tsx';
import { AccessRequests, OneAccessRequest } from './access-requests/access-requests.tsx';
import { AppPage } from './apps/app-page.tsx';
import { Apps } from './apps/apps.tsx';
import { Directories } from './directories/directories.tsx';
import { Directory } from './directories/directory.tsx';
import { Invitations } from './invitations.tsx';
import { Leave } from './leave.tsx';
import { Member } from './member.tsx';
import { Members } from './members.tsx';
import { OrganizationOverview } from './overview.tsx';
import { Partners } from './partners/partners.tsx';
import { Playground } from './playground.tsx';
import { Roles } from './roles.tsx';
import { ServiceAccount } from './service-accounts/service-account.tsx';
import { ServiceAccounts } from './service-accounts/service-accounts.tsx';
import { NotVisible } from './not-visible.tsx';
import { findMissing, firstPageOf, organizationGroups } from './organization-groups.ts';
import { OrganizationSettings } from './settings.tsx';
import { SignInPolicy } from './sign-in-policy.tsx';
import { Connection } from './single-sign-on/connection.tsx';
import { SingleSignOn } from './single-sign-on/single-sign-on.tsx';
import { Stations } from './stations/stations.tsx';
import { Trail } from './trail.tsx';
import { ofOrganization } from './webhooks/owners.ts';
import { Webhook } from './webhooks/subscription.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';
import { Workers } from './workers/workers.tsx';
import { inBackground } from '../../session/in-background.ts';

const P = PAGE_PATHS;

/** Pages of one organization, which this tab selects; other tabs keep theirs. */
export function OrganizationPages({ tenantId }: { readonly tenantId: string }) {
  const entry = useQuery({
    queryKey: entryKey(tenantId),
    queryFn: async () => {
      await gatehouse.selectTenant(tenantId);
      const verdicts = await gatehouse.can(null, ASKED);
      const allowed = Object.fromEntries(ASKED.map((scope) => [scope, mayTry(verdicts[scope])])) as Allowed;
      return { allowed, secondFactorBy: gatehouse.secondFactorBy };
    },
    staleTime: 0,
  });
  const [location] = useLocation();
  const { data: tenants } = useMyTenants();
  const isArchived = tenants?.find(({ id }) => id === tenantId)?.status === 'archived';
  if (entry.error)
    return <NoEntry tenantId={tenantId} error={entry.error} retry={() => inBackground(entry.refetch())} />;
  const allowed = entry.data?.allowed;
  const nav = {
    label: text('frame.organization-pages'),
    groups: allowed === undefined ? [] : organizationGroups(tenantId, allowed),
  };
  if (!entry.data || !allowed)
    return (
      <AppFrame tenantId={tenantId} nav={nav}>
        <Skeleton label={text('organization.loading')} />
      </AppFrame>
    );
  const props = { tenantId, allowed };
  const missing = findMissing(location, tenantId, allowed);
  if (missing !== null)
    return (
      <AppFrame tenantId={tenantId} nav={nav}>
        <Page title={text('not-visible.page')}>
          <NotVisible tenantId={tenantId} scope={missing} />
        </Page>
      </AppFrame>
    );
  return (
    <AppFrame tenantId={tenantId} nav={nav}>
      {isArchived && (
        <Notice kind="care" title={text('organization.archived.title')}>
          <p>{text('organization.archived.text')}</p>
        </Notice>
      )}
      {entry.data.secondFactorBy !== null && <Grace until={entry.data.secondFactorBy} />}
      <Switch>
        <Route path={P.organization}>
          <Redirect to={firstPageOf(tenantId, allowed)} replace />
        </Route>
        <Route path={P.overview}>
          <OrganizationOverview {...props} />
        </Route>
        <Route path={P.members}>
          <Members {...props} />
        </Route>
        <Route path={P.member}>{({ userId }) => <Member userId={userId} {...props} />}</Route>
        <Route path={P.invitations}>
          <Invitations {...props} />
        </Route>
        <Route path={P.workers}>
          <Workers {...props} />
        </Route>
        <Route path={P.stations}>
          <Stations {...props} />
        </Route>
        <Route path={P.partners}>
          <Partners {...props} />
        </Route>
        <Route path={P.accessRequests}>
          <AccessRequests {...props} />
        </Route>
        <Route path={P.accessRequest}>
          {({ requestId }) => <OneAccessRequest id={requestId} {...props} />}
        </Route>
        <Route path={P.roles}>
          <Roles {...props} />
        </Route>
        <Route path={P.trail}>
          <Trail {...props} />
        </Route>
        <Route path={P.playground}>
          <Playground {...props} />
        </Route>
        <Route path={P.serviceAccounts}>
          <ServiceAccounts {...props} />
        </Route>
        <Route path={P.serviceAccount}>
          {({ accountId }) => <ServiceAccount id={accountId} {...props} />}
        </Route>
        <Route path={P.agents}>
          <Agents tenantId={tenantId} />
        </Route>
        <Route path={P.apps}>
          <Apps {...props} />
        </Route>
        <Route path={P.app}>{({ clientId }) => <AppPage id={clientId} {...props} />}</Route>
        <Route path={P.apis}>
          <Apis {...props} />
        </Route>
        <Route path={P.signInPolicy}>
          <SignInPolicy tenantId={tenantId} />
        </Route>
        <Route path={P.singleSignOn}>
          <SingleSignOn {...props} />
        </Route>
        <Route path={P.connection}>{({ connectionId }) => <Connection id={connectionId} {...props} />}</Route>
        <Route path={P.directories}>
          <Directories {...props} />
        </Route>
        <Route path={P.directory}>{({ directoryId }) => <Directory id={directoryId} {...props} />}</Route>
        <Route path={P.webhooks}>
          <Webhooks owner={ofOrganization(props)} />
        </Route>
        <Route path={P.webhook}>
          {({ subscriptionId }) => <Webhook id={subscriptionId} owner={ofOrganization(props)} />}
        </Route>
        <Route path={P.organizationSettings}>
          <OrganizationSettings tenantId={tenantId} />
        </Route>
        <Route component={NoSuchPage} />
      </Switch>
    </AppFrame>
  );
}

/** Asks members within the grace days of a policy to add a second factor. */
function Grace({ until }: { readonly until: string }) {
  const day = new Date(until).toLocaleDateString(intlLocale(), { dateStyle: 'long' });
  return (
    <Notice kind="care" title={text('organization.grace.title', { day })}>
      <p>
        {rich('organization.grace.text', {
          link: (label) => (
            <Link key="link" href={P.security}>
              {label}
            </Link>
          ),
        })}
      </p>
    </Notice>
  );
}

interface NoEntryProps {
  readonly tenantId: string;
  readonly error: unknown;
  readonly retry: () => void;
}

function NoEntry({ tenantId, error, retry }: NoEntryProps) {
  const isStranger =
    error instanceof ProblemError && ['not-a-member', 'validation-error'].includes(error.code);
  if (error instanceof ProblemError && error.stepUp)
    return (
      <AppFrame>
        <Page title={text('organization.refused')}>
          <Notice kind="care">
            <p>{error.message}</p>
          </Notice>
          <div className="row">
            <Button look="primary" onPress={retry}>
              {text('organization.refused.confirm')}
            </Button>
            <Link href={P.security} className="button">
              {text('nav.security')}
            </Link>
          </div>
          <Leave tenantId={tenantId} denial={null} />
        </Page>
      </AppFrame>
    );
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
