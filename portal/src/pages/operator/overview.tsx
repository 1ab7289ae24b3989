import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { PAGE_PATHS as P } from '../../session/paths.ts';
import { number, type CountChart } from '../../ui/chart.tsx';
import { CountsOf } from '../../ui/counts-of.tsx';
import { totalOf } from '../../ui/count-series.ts';
import { Figures, type Figure } from '../../ui/figures.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PeriodSwitch, usePeriod } from '../../ui/period-switch.tsx';

type Overview = components['schemas']['PlatformOverviewResponse'];

/** Pause between reads: counts are written every few seconds. */
const POLL_MS = 30_000;

/** What happens on the platform: figures and charts. */
export function PlatformOverview() {
  const period = usePeriod();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['operator', 'overview'],
    queryFn: async () => (await gatehouse.get('/api/v1/operator/overview')).data,
    refetchInterval: POLL_MS,
  });
  return (
    <Page title={text('overview')} lead={text('overview.platform.lead')} action={<PeriodSwitch />}>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      {isPending && <Skeleton label={text('overview')} />}
      {data && (
        <>
          <Figures label={text('overview.figures')} figures={figuresOf(data.present, data[period])} />
          <div className="charts">
            {CHARTS.map(([name, title]) => (
              <CountsOf key={name} name={name} title={text(title)} chart={data[period]} />
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

const CHARTS = [
  ['sign-up', 'overview.sign-ups'],
  ['sign-in', 'overview.sign-ins'],
  ['sign-in-refused', 'overview.refusals'],
  ['second-factor', 'overview.factors'],
  ['factor', 'overview.factor-changes'],
  ['mail', 'overview.mails'],
  ['delivery', 'overview.deliveries'],
  ['job', 'overview.jobs'],
  ['scim', 'overview.directories'],
  ['logout-token', 'overview.logout-tokens'],
] as const;

function figuresOf(present: Overview['present'], chart: CountChart): Figure[] {
  return [
    { label: text('operator.people'), value: number(present.people), href: P.operatorPeople },
    { label: text('organizations'), value: number(present.organizations), href: P.operatorOrganizations },
    { label: text('overview.sign-ups'), value: number(totalOf(chart, 'sign-up')) },
    { label: text('overview.sign-ins'), value: number(totalOf(chart, 'sign-in')) },
    { label: text('overview.refused'), value: number(totalOf(chart, 'sign-in-refused')) },
    {
      label: text('overview.failed-jobs'),
      value: number(present.failedJobs),
      hint: text('overview.jobs.waiting', { count: present.waitingJobs }),
      isBad: present.failedJobs > 0,
      href: P.operatorJobs,
    },
    {
      label: text('overview.failing-webhooks'),
      value: number(present.failingWebhooks),
      isBad: present.failingWebhooks > 0,
    },
    { label: text('overview.replicas'), value: number(present.replicas) },
  ];
}
