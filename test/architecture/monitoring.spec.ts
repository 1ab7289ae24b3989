import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expectWritten, table } from '../support/generated.js';
import { Scrape } from '../support/metrics.js';
import { selectionsOf } from '../support/promql.js';
import { withApp } from '../support/test-app.js';

const PAGE = 'docs/monitoring.md';
/** Labels that Prometheus adds to every sample, and the label of histogram buckets. */
const ADDED_LABELS = ['job', 'instance', 'le'];
/** Metrics that Prometheus records of every scrape. */
const ADDED_METRICS = ['up'];

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}
interface Rules {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
}
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
}

const alerts = (parse(readFileSync('ops/prometheus/alerts.yaml', 'utf8')) as Rules).groups.flatMap(
  ({ rules }) => rules,
);
const panels = (JSON.parse(readFileSync('ops/grafana/gatehouse.json', 'utf8')) as Dashboard).panels;
/** Replaces the variables of Grafana by a duration. */
const queries = [
  ...panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m')),
  ),
  ...alerts.map(({ expr }) => expr.replace(/\s+/g, ' ')),
];

describe('What watches over the service', () => {
  let scrape: Scrape;
  const app = withApp();
  beforeAll(async () => {
    await app.get('/api/v1/iam/me');
    scrape = await Scrape.of(app.url);
  });

  const own = () => scrape.families.filter(({ name }) => name.startsWith('gatehouse_'));

  it('has metrics named by the conventions of Prometheus, with a help text', () => {
    const suffix = { counter: /_total$/, histogram: /_seconds$/, gauge: /(?<!_total|_count|_sum|_bucket)$/ };
    expect(own().length).toBeGreaterThan(20);
    for (const { name, kind, help } of own()) {
      expect(name).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/);
      expect(name).toMatch(suffix[kind as keyof typeof suffix]);
      expect(help).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('is documented metric by metric, in the order of their names', () => {
    const sorted = own().toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const rows = sorted.map(({ name, kind, help, labels }) => [
      `\`${name}\``,
      kind,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]);
    expectWritten(PAGE, 'metrics', table(['metric', 'kind', 'labels', 'meaning'], rows));
  });

  it.each(queries)('queries existing metrics and labels: %s', (query) => {
    const selections = selectionsOf(query);
    expect(selections.length).toBeGreaterThan(0);
    for (const { metric, labels, values } of selections.filter(
      (one) => !ADDED_METRICS.includes(one.metric),
    )) {
      const known = scrape.samples.filter(({ name }) => name === metric);
      expect([metric, known.length > 0]).toEqual([metric, true]);
      const names = new Set([...ADDED_LABELS, ...known.flatMap((sample) => Object.keys(sample.labels))]);
      expect(labels.filter((label) => !names.has(label))).toEqual([]);
      const selected = values.filter(([label]) => !ADDED_LABELS.includes(label));
      expect(selected.filter(([label, value]) => !known.some((one) => one.labels[label] === value))).toEqual(
        [],
      );
    }
  });

  it.each(alerts.map((alert): [string, Alert] => [alert.alert, alert]))(
    'documents what to do about %s',
    (name, { labels }) => {
      expect(readFileSync(PAGE, 'utf8')).toContain(`\n### ${name}\n`);
      expect(['page', 'ticket']).toContain(labels.severity);
    },
  );
});
