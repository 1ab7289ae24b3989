import { text } from '../../../messages/index.ts';
import { Bars, Chart, type CountChart, percent } from '../../../ui/chart.tsx';
import { nothing, seriesOf, totalOf } from '../../../ui/count-series.ts';
import { useActivity } from './webhook-queries.ts';

interface Props {
  readonly tenantId: string;
  /** Subscription. */
  readonly id: string;
}

/** Attempts of the last 24 hours; null until they are read. */
function useChart(tenantId: string, id: string): CountChart | null {
  const { data } = useActivity(tenantId);
  if (!data) return null;
  const series = data.items.find((one) => one.id === id)?.series ?? [];
  return { span: data.span, from: data.from, series };
}

/** Success rate and bars of a subscription in the list. */
export function ActivityBars({ tenantId, id }: Props) {
  const chart = useChart(tenantId, id);
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
export function Activity({ tenantId, id }: Props) {
  const chart = useChart(tenantId, id);
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
