import { text } from '../messages/index.ts';
import { Chart, type CountChart } from './chart.tsx';
import { nothing, seriesOf } from './count-series.ts';

interface Props {
  /** Name of what is counted. */
  readonly name: string;
  readonly title: string;
  readonly chart: CountChart;
}

/** Chart of one thing by method, outcome or reason. */
export function CountsOf({ name, title, chart }: Props) {
  const series = seriesOf(chart, name);
  return (
    <Chart
      title={title}
      chart={chart}
      series={series.length > 0 ? series : nothing(chart, text('count.none'))}
    />
  );
}
