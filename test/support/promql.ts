import { parser } from '@prometheus-io/lezer-promql';

/**
 * A metric named by a query, the labels by which the query selects or groups it, and the selected
 * values.
 */
export interface Selection {
  readonly metric: string;
  readonly labels: readonly string[];
  readonly values: readonly (readonly [label: string, value: string])[];
}

/** Plain words with bars between; other patterns may match future values. */
const WORDS = /^[\w-]+(?:\|[\w-]+)*$/;

/** Returns the metrics that a Prometheus query reads. @throws where it is not PromQL */
export function selectionsOf(query: string): Selection[] {
  const selections: { metric: string; labels: string[]; values: [string, string][] }[] = [];
  const grouping: string[] = [];
  parser.parse(query).iterate({
    enter({ name, from, to, type, node }) {
      const text = query.slice(from, to);
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${query}`);
      if (name === 'Identifier') selections.push({ metric: text, labels: [], values: [] });
      if (name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouping.push(text);
      if (name === 'UnquotedLabelMatcher') {
        const [, label = '', operator = '', pattern = ''] = /^(\w+)\s*([=!~]+)\s*"(.*)"$/.exec(text) ?? [];
        const words = operator.startsWith('=') && WORDS.test(pattern) ? pattern.split('|') : [];
        selections.at(-1)?.labels.push(label);
        selections.at(-1)?.values.push(...words.map((word): [string, string] => [label, word]));
      }
    },
  });
  return selections.map((one) => ({ ...one, labels: [...one.labels, ...grouping] }));
}
