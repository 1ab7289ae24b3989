import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { PAGE_PATHS as P, pathIn } from '../../session/paths.ts';
import { useDismissal } from '../../session/dismissals.ts';
import { useMe } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Chart, number, percent, type CountChart, type Series } from '../../ui/chart.tsx';
import { totalOf } from '../../ui/count-series.ts';
import { CountsOf } from '../../ui/counts-of.tsx';
import { Figures, type Figure } from '../../ui/figures.tsx';
import { Check } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PeriodSwitch, usePeriod } from '../../ui/period-switch.tsx';
import type { Allowed, OrganizationProps } from './allowed.ts';
import { Attention } from './attention.tsx';
import { EndsSoon } from './ends-soon.tsx';
import { useRoles } from './organization-queries.ts';

type Overview = components['schemas']['TenantOverviewResponse'];
type Present = Overview['present'];

/** Pause between reads: counts are written every few seconds. */
const POLL_MS = 30_000;

/** What is to be done in an organization, and what happens there: figures and charts. */
export function OrganizationOverview({ tenantId, allowed }: OrganizationProps) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['organization', tenantId, 'overview'],
    queryFn: async () =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/overview', { params: { path: { id: tenantId } } })).data,
    refetchInterval: POLL_MS,
  });
  return (
    <Page title={text('overview')} lead={text('overview.lead')} action={<PeriodSwitch />}>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      {isPending && <Skeleton label={text('overview')} />}
      {data && <Shown overview={data} tenantId={tenantId} allowed={allowed} />}
    </Page>
  );
}

function Shown({ overview, tenantId, allowed }: OrganizationProps & { readonly overview: Overview }) {
  const chart = overview[usePeriod()];
  const { data: roles } = useRoles(tenantId);
  const { present } = overview;
  const { data: me } = useMe();
  const steps = stepsOf(present, allowed);
  const [areDismissed, dismiss] = useDismissal(`first-steps.${tenantId}`, me?.id ?? '');
  const showsSteps = !areDismissed && steps.some(({ isDone }) => !isDone);
  return (
    <>
      <Attention {...{ present, tenantId, allowed }} saysNone={!showsSteps} />
      {roles && allowed['iam:member:read'] && (
        <EndsSoon tenantId={tenantId} roles={roles} partnersBy={allowed} />
      )}
      {showsSteps && <FirstSteps {...{ steps, tenantId, dismiss }} />}
      <Figures label={text('overview.figures')} figures={figuresOf(present, chart, tenantId, allowed)} />
      <div className="charts">
        <Chart title={text('overview.people')} chart={chart} series={peopleOf(present, chart)} isLevel />
        <CountsOf name="sign-in" title={text('overview.sign-ins')} chart={chart} />
        <CountsOf name="sign-in-refused" title={text('overview.refusals')} chart={chart} />
        <CountsOf name="second-factor" title={text('overview.factors')} chart={chart} />
        {present.webhooks > 0 && (
          <CountsOf name="delivery" title={text('overview.deliveries')} chart={chart} />
        )}
        {present.directories > 0 && (
          <CountsOf name="scim" title={text('overview.directories')} chart={chart} />
        )}
      </div>
    </>
  );
}

/** Members at the end of each column: of now, without later changes. */
function peopleOf({ members }: Present, chart: CountChart): Series[] {
  const countsOf = (value: string) =>
    chart.series.find((one) => one.name === 'member' && one.value === value)?.counts ?? [];
  const [joined, left] = [countsOf('joined'), countsOf('left')];
  const counts = [members];
  for (let column = (chart.span === 'hour' ? 24 : 30) - 1; column > 0; column -= 1)
    counts.unshift(Math.max(0, (counts[0] ?? 0) - (joined[column] ?? 0) + (left[column] ?? 0)));
  return [{ label: text('nav.members'), counts, tone: 1 }];
}

function figuresOf(present: Present, chart: CountChart, tenantId: string, allowed: Allowed): Figure[] {
  const page = (path: string, isShown = true) => (isShown ? pathIn(path, tenantId) : null);
  const deliveries = totalOf(chart, 'delivery');
  const delivered = totalOf(chart, 'delivery', 'delivered');
  const { members, membersWithSecondFactor: secured, failingWebhooks: failing } = present;
  return [
    {
      label: text('nav.members'),
      value: number(members),
      hint: text('overview.invited', { count: present.openInvitations }),
      href: page(P.members),
    },
    {
      label: text('overview.secured'),
      value: percent(secured, members),
      hint: text('overview.secured.hint', { count: secured, all: members }),
      href: page(P.signInPolicy, allowed['iam:sign-in-policy:read']),
    },
    { label: text('overview.sign-ins'), value: number(totalOf(chart, 'sign-in')) },
    { label: text('overview.refused'), value: number(totalOf(chart, 'sign-in-refused')) },
    {
      label: text('overview.connections'),
      value: number(present.activeConnections),
      href: page(P.singleSignOn, allowed['iam:connection:read']),
    },
    {
      label: text('nav.directories'),
      value: number(present.activeDirectories),
      href: page(P.directories, allowed['iam:directory:read']),
    },
    {
      label: text('nav.service-accounts'),
      value: number(present.serviceAccounts),
      href: page(P.serviceAccounts, allowed['iam:service-account:read']),
    },
    {
      label: text('overview.delivered'),
      value: deliveries === 0 ? '–' : percent(delivered, deliveries),
      hint: text('overview.webhooks.hint', { count: present.webhooks, failing }),
      isBad: failing > 0,
      href: page(P.webhooks, allowed['webhooks:subscription:read']),
    },
  ];
}

interface Step {
  readonly isDone: boolean;
  readonly path: string;
  readonly label: string;
}

/** What an organization does on its first day, as far as the user may do it. */
function stepsOf(present: Present, allowed: Allowed): Step[] {
  const step = (isDone: boolean, needs: keyof Allowed, path: string, label: string): Step[] =>
    allowed[needs] ? [{ isDone, path, label }] : [];
  const hasInvited = present.members > 1 || present.openInvitations > 0;
  return [
    ...step(hasInvited, 'iam:invitation:create', P.invitations, text('overview.step.invite')),
    ...step(present.verifiedDomains > 0, 'iam:domain:create', P.singleSignOn, text('overview.step.domain')),
    ...step(
      present.activeConnections > 0,
      'iam:connection:create',
      P.singleSignOn,
      text('overview.step.connection'),
    ),
    ...step(
      present.requiresSecondFactor,
      'iam:sign-in-policy:read',
      P.signInPolicy,
      text('overview.step.second-factor'),
    ),
    ...step(present.webhooks > 0, 'webhooks:subscription:create', P.webhooks, text('overview.step.webhook')),
  ];
}

interface FirstStepsProps {
  readonly steps: readonly Step[];
  readonly tenantId: string;
  readonly dismiss: () => void;
}

function FirstSteps({ steps, tenantId, dismiss }: FirstStepsProps) {
  return (
    <section className="sheet section" aria-labelledby="first-steps">
      <div className="row">
        <h2 id="first-steps">{text('overview.steps')}</h2>
        <Button look="quiet" small onPress={dismiss}>
          {text('not-now')}
        </Button>
      </div>
      <ul className="steps">
        {steps.map(({ isDone, path, label }) => (
          <li key={label}>
            <span className={isDone ? 'mark done' : 'mark'}>{isDone && <Check size={13} />}</span>
            {isDone ? (
              <span className="soft">
                {label} <span className="hidden-label">{text('overview.step.done')}</span>
              </span>
            ) : (
              <Link href={pathIn(path, tenantId)}>{label}</Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
