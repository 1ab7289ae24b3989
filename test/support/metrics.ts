import { QUIET } from './test-app.js';

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** A metric with its samples. */
interface Family {
  readonly name: string;
  readonly kind: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** Metrics of a service at one moment. */
export class Scrape {
  private constructor(
    readonly samples: readonly Sample[],
    readonly text: string,
  ) {}

  /** @throws where the service exposes none */
  static async of(url: string): Promise<Scrape> {
    const headers = { authorization: `Bearer ${QUIET.METRICS_TOKEN}` };
    const response = await fetch(`${url}/metrics`, { headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`Metrics answered ${response.status}.`);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Scrape(lines.map(parse), text);
  }

  /** Metrics with their labels, without `le`, which distinguishes the buckets of a histogram. */
  get families(): Family[] {
    return [...this.text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)].map(
      ([, name = '', help = '', kind = '']) => {
        const own = this.samples.filter(
          (sample) => sample.name.replace(/_(?:bucket|sum|count)$/, '') === name || sample.name === name,
        );
        const labels = new Set(own.flatMap((sample) => Object.keys(sample.labels)));
        labels.delete('le');
        return { name, kind, help, labels: [...labels] };
      },
    );
  }

  /** Sum of the samples of this name with these labels. */
  sum(name: string, labels: Labels = {}): number {
    return this.samples
      .filter((sample) => sample.name === name && has(sample, labels))
      .reduce((sum, { value }) => sum + value, 0);
  }

  has(name: string): boolean {
    return this.samples.some((sample) => sample.name === name);
  }
}

/** Returns the increase of a metric while the work runs. */
export async function growth(
  url: string,
  name: string,
  labels: Labels,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = (await Scrape.of(url)).sum(name, labels);
  await work();
  return (await Scrape.of(url)).sum(name, labels) - before;
}

function parse(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([a-z_:\d]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text]);
  return { name, labels: Object.fromEntries(pairs) as Labels, value: Number(value) };
}

function has({ labels }: Sample, wanted: Labels): boolean {
  return Object.entries(wanted).every(([label, value]) => labels[label] === value);
}
