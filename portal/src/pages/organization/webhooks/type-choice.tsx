import { useState, type ReactNode } from 'react';
import { text } from '../../../messages/index.ts';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { TypeFolds } from './type-folds.tsx';
import { entryOfType, matches, type EventType } from './webhook-queries.ts';

const ALL = '*';
const allOf = (group: string): string => `${group}.*`;

interface Props {
  readonly types: readonly EventType[];
  /** Types, and beginnings of types such as `iam.member.*`. */
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

/**
 * Selects types of events: all, those of a group with the ones that it gets later, or single ones.
 */
export function TypeChoice({ types, value, onChange }: Props) {
  const [initial] = useState(value);
  const groups = new Set(types.map((item) => entryOfType(item).group));
  const offered = [ALL, ...[...groups].map(allOf), ...types.map(({ type }) => type)];
  // A subscription made by the API can have others, such as `iam.*`.
  const others = initial.filter((filter) => !offered.includes(filter));
  const isCovered = (filter: string) =>
    value.some((other) => other !== filter && other.endsWith('*') && matches(other, filter));
  const covered = offered.filter(isCovered);
  const change = (next: readonly string[]) =>
    onChange(next.filter((filter) => value.includes(filter) || !covered.includes(filter)));
  return (
    <TypeFolds
      items={types}
      isSelected={({ type }) => value.some((filter) => matches(filter, type))}
      head={(group) => (
        <Choice value={allOf(group)} isCovered={isCovered(allOf(group))}>
          {text('webhooks.types.group')} <code className="small soft">{allOf(group)}</code>
        </Choice>
      )}
      frame={(folds) => (
        <CheckboxGroup
          label={text('webhooks.types')}
          name="types"
          value={[...value, ...covered]}
          onChange={change}
          missing={text('webhooks.types.choose')}
          isRequired
          wide
        >
          <Checkbox value={ALL}>{text('webhooks.types.all')}</Checkbox>
          {others.map((filter) => (
            <Choice key={filter} value={filter} isCovered={isCovered(filter)}>
              <code className="small">{filter}</code>
            </Choice>
          ))}
          {folds}
        </CheckboxGroup>
      )}
    >
      {({ type, description }) => (
        <Choice value={type} isCovered={isCovered(type)}>
          <code className="small">{type}</code>
          <span className="small soft line">{description}</span>
        </Choice>
      )}
    </TypeFolds>
  );
}

interface ChoiceProps {
  readonly value: string;
  /** Whether another choice includes this one. */
  readonly isCovered: boolean;
  readonly children: ReactNode;
}

/** One choice. A new checkbox once it is covered: a disabled one keeps "choose at least one". */
function Choice({ isCovered, ...props }: ChoiceProps) {
  return <Checkbox key={String(isCovered)} isDisabled={isCovered} {...props} />;
}
