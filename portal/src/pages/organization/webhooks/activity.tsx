import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { Bars, Chart, type CountChart, percent } from '../../../ui/chart.tsx';
import { nothing, seriesOf, totalOf } from '../../../ui/count-series.ts';
import { useActivity, type WebhookOwner } from './webhook-queries.ts';

type Activities = components['schemas']['SourcesResponse'];

interface Props {
  readonly owner: WebhookOwner;
  /** Subscription. */
  readonly id: string;
}

/** Attempts of a subscription in the last 24 hours; null until they are read. */
function chartOf(activities: Activities | undefined, id: string): CountChart | null {
  if (!activities) return null;
  const series = activities.items.find((one) => one.id === id)?.series ?? [];
  return { span: activities.span, from: activities.from, series };
}

interface BarsProps {
  readonly activities: Activities | undefined;
  readonly id: string;
}

/** Success rate and bars of a subscription in the list. */
export function ActivityBars({ activities, id }: BarsProps) {
  const chart = chartOf(activities, id);
  if (chart === null) return null;
  const series = seriesOf(chart, 'delivery');
  return (
    <span className="row">
      <span className="soft small">{rateOf(chart)}</span>
      <Bars
        title={text('webhooks.activity')}
        chart={chart}
        series={series.length > 0 ? series : nothing(chart, text('count.none'))}
      />
    </span>
  );
}

/** Success rate and chart of a subscription on its page. */
export function Activity({ owner, id }: Props) {
  const chart = chartOf(useActivity(owner).data, id);
  if (chart === null) return null;
  const series = seriesOf(chart, 'delivery');
  const title = text('webhooks.activity');
  return (
    <Chart
      title={series.length > 0 ? `${title}: ${rateOf(chart)}` : title}
      chart={chart}
      series={series.length > 0 ? series : nothing(chart, text('count.none'))}
    />
  );
}

/** Share of attempts that the receiver accepted. */
function rateOf(chart: CountChart): string {
  const all = totalOf(chart, 'delivery');
  if (all === 0) return text('webhooks.activity.none');
  return text('webhooks.activity.rate', { share: percent(totalOf(chart, 'delivery', 'delivered'), all) });
}
