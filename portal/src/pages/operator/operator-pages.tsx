import { Redirect, Route, Switch } from 'wouter';
import { text } from '../../messages/index.ts';
import { type OperatorScope, useOperatorScopes } from '../../session/is-operator.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { AppFrame } from '../../ui/app-frame.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { NoSuchPage } from '../not-here.tsx';
import { ofPlatform } from '../organization/webhooks/owners.ts';
import { Webhook } from '../organization/webhooks/subscription.tsx';
import { Webhooks } from '../organization/webhooks/webhooks.tsx';
import { Imports } from './imports.tsx';
import { Jobs } from './jobs.tsx';
import { OperatedOrganization } from './organization.tsx';
import { OperatedOrganizations } from './organizations.tsx';
import { Operators } from './operators.tsx';
import { PlatformOverview } from './overview.tsx';
import { People } from './people.tsx';
import { Person } from './person.tsx';
import { RegisteredPermissions } from './registered-permissions.tsx';
import { PlatformTrail } from './trail.tsx';
import { inBackground } from '../../session/in-background.ts';

const P = PAGE_PATHS;

/** Pages of the platform's operators. Each of their operations asks for two factors. */
export function OperatorPages() {
  const entry = useOperatorScopes();
  if (entry.error)
    return (
      <AppFrame isConsole>
        <Page title={text('operator')}>
          <ErrorNotice error={entry.error} onRetry={() => inBackground(entry.refetch())} />
        </Page>
      </AppFrame>
    );
  if (entry.data === undefined)
    return (
      <AppFrame isConsole>
        <Skeleton label={text('operator')} />
      </AppFrame>
    );
  if (entry.data.length === 0)
    return (
      <AppFrame isConsole>
        <Page title={text('operator')}>
          <Notice>
            <p>{text('operator.only')}</p>
          </Notice>
        </Page>
      </AppFrame>
    );
  type PageOf = readonly [scope: OperatorScope, path: string, title: string];
  const held = (pages: readonly PageOf[]) =>
    pages.filter(([scope]) => entry.data.includes(scope)).map(([, path, title]) => [path, title] as const);
  const groups = [
    { label: null, pages: held([['platform:overview:read', P.operatorOverview, text('overview')]]) },
    {
      label: text('operator.group.people'),
      pages: held([
        ['platform:person:read', P.operatorPeople, text('operator.people')],
        ['platform:tenant:read', P.operatorOrganizations, text('organizations')],
        ['platform:import:create', P.operatorImports, text('operator.imports')],
      ]),
    },
    {
      label: text('operator.group.platform'),
      pages: held([
        ['platform:operator:read', P.operatorOperators, text('operator.operators')],
        ['platform:permission:read', P.operatorPermissions, text('operator.permissions')],
        ['webhooks:operator-webhook:read', P.operatorWebhooks, text('nav.webhooks')],
        ['platform:job:read', P.operatorJobs, text('operator.jobs')],
        ['platform:audit:read', P.operatorTrail, text('nav.trail')],
      ]),
    },
  ];
  const webhooks = ofPlatform(entry.data.includes('webhooks:operator-webhook:manage'));
  const nav = { label: text('operator.pages'), groups };
  const first = groups.flatMap(({ pages }) => pages)[0]?.[0];
  return (
    <AppFrame isConsole nav={nav}>
      <Switch>
        <Route path={P.operator}>
          <Redirect to={first ?? P.operatorPeople} replace />
        </Route>
        <Route path={P.operatorOverview} component={PlatformOverview} />
        <Route path={P.operatorPeople} component={People} />
        <Route path={P.operatorPerson}>{({ userId }) => <Person key={userId} userId={userId} />}</Route>
        <Route path={P.operatorOrganizations} component={OperatedOrganizations} />
        <Route path={P.operatorOrganization}>
          {({ operatedId }) => <OperatedOrganization key={operatedId} tenantId={operatedId} />}
        </Route>
        <Route path={P.operatorOperators} component={Operators} />
        <Route path={P.operatorImports} component={Imports} />
        <Route path={P.operatorPermissions} component={RegisteredPermissions} />
        <Route path={P.operatorWebhooks}>
          <Webhooks owner={webhooks} />
        </Route>
        <Route path={P.operatorWebhook}>
          {({ subscriptionId }) => <Webhook id={subscriptionId} owner={webhooks} />}
        </Route>
        <Route path={P.operatorJobs} component={Jobs} />
        <Route path={P.operatorTrail} component={PlatformTrail} />
        <Route component={NoSuchPage} />
      </Switch>
    </AppFrame>
  );
}
