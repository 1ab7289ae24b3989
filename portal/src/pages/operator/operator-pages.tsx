import { Redirect, Route, Switch } from 'wouter';
import { text } from '../../messages/index.ts';
import { useIsOperator } from '../../session/is-operator.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { AppFrame } from '../../ui/app-frame.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { NoSuchPage } from '../not-here.tsx';
import { Imports } from './imports.tsx';
import { Jobs } from './jobs.tsx';
import { OperatedOrganization } from './organization.tsx';
import { OperatedOrganizations } from './organizations.tsx';
import { Operators } from './operators.tsx';
import { People } from './people.tsx';
import { Person } from './person.tsx';
import { PlatformTrail } from './trail.tsx';

const P = PAGE_PATHS;

/** Pages of the platform's operators. Each of their operations asks for two factors. */
export function OperatorPages() {
  const entry = useIsOperator();
  if (entry.error)
    return (
      <AppFrame>
        <Page title={text('operator')}>
          <ErrorNotice error={entry.error} onRetry={() => void entry.refetch()} />
        </Page>
      </AppFrame>
    );
  if (entry.data === undefined)
    return (
      <AppFrame>
        <Skeleton label={text('operator')} />
      </AppFrame>
    );
  if (!entry.data)
    return (
      <AppFrame>
        <Page title={text('operator')}>
          <Notice>
            <p>{text('operator.only')}</p>
          </Notice>
        </Page>
      </AppFrame>
    );
  const nav = {
    label: text('operator.pages'),
    pages: [
      [P.operatorPeople, text('operator.people')],
      [P.operatorOrganizations, text('organizations')],
      [P.operatorOperators, text('operator.operators')],
      [P.operatorImports, text('operator.imports')],
      [P.operatorJobs, text('operator.jobs')],
      [P.operatorTrail, text('nav.trail')],
    ] as const,
  };
  return (
    <AppFrame nav={nav}>
      <Switch>
        <Route path={P.operator}>
          <Redirect to={P.operatorPeople} replace />
        </Route>
        <Route path={P.operatorPeople} component={People} />
        <Route path={P.operatorPerson}>{({ userId }) => <Person key={userId} userId={userId} />}</Route>
        <Route path={P.operatorOrganizations} component={OperatedOrganizations} />
        <Route path={P.operatorOrganization}>
          {({ operatedId }) => <OperatedOrganization key={operatedId} tenantId={operatedId} />}
        </Route>
        <Route path={P.operatorOperators} component={Operators} />
        <Route path={P.operatorImports} component={Imports} />
        <Route path={P.operatorJobs} component={Jobs} />
        <Route path={P.operatorTrail} component={PlatformTrail} />
        <Route component={NoSuchPage} />
      </Switch>
    </AppFrame>
  );
}
