import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { PAGE_PATHS as P, pathIn } from '../../session/paths.ts';
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
import { EndsSoon } from './ends-soon.tsx';
import { useRoles } from './organization-queries.ts';

type Overview = components['schemas']['TenantOverviewResponse'];
type Present = Overview['present'];

/** Pause between reads: counts are written every few seconds. */
const POLL_MS = 30_000;

/** What happens in an organization: figures, charts, what ends soon, and the first steps. */
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
  return (
    <>
      <FirstSteps present={present} tenantId={tenantId} allowed={allowed} />
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
      {roles && allowed['iam:member:read'] && (
        <EndsSoon tenantId={tenantId} roles={roles} partnersBy={allowed} />
      )}
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
  const ending =
    present.endingAccess + present.endingKeys + present.endingDirectoryTokens + present.endingCertificates;
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
      hint: text('overview.directories.hint', { count: present.activeDirectories }),
      href: page(P.singleSignOn, allowed['iam:connection:read']),
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
    {
      label: text('overview.ending'),
      value: number(ending),
      ...(ending > 0 && { hint: text('overview.ending.hint', { access: present.endingAccess }) }),
    },
  ];
}

/** What an organization does on its first day; nothing once all is done. */
function FirstSteps({ present, tenantId, allowed }: OrganizationProps & { readonly present: Present }) {
  const all: readonly (readonly [isDone: boolean, isShown: boolean, path: string, label: string])[] = [
    [
      present.members > 1 || present.openInvitations > 0,
      allowed['iam:invitation:create'],
      P.invitations,
      text('overview.step.invite'),
    ],
    [present.verifiedDomains > 0, allowed['iam:domain:create'], P.singleSignOn, text('overview.step.domain')],
    [
      present.activeConnections > 0,
      allowed['iam:connection:create'],
      P.singleSignOn,
      text('overview.step.connection'),
    ],
    [
      present.requiresSecondFactor,
      allowed['iam:sign-in-policy:read'],
      P.signInPolicy,
      text('overview.step.second-factor'),
    ],
    [
      present.webhooks > 0,
      allowed['webhooks:subscription:create'],
      P.webhooks,
      text('overview.step.webhook'),
    ],
  ];
  const steps = all.filter(([, isShown]) => isShown);
  if (steps.every(([isDone]) => isDone)) return null;
  return (
    <section className="sheet section" aria-labelledby="first-steps">
      <h2 id="first-steps">{text('overview.steps')}</h2>
      <ul className="steps">
        {steps.map(([isDone, , path, label]) => (
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
