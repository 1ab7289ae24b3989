import { useState, type ReactNode } from 'react';
import { text } from '../../../messages/index.ts';
import { Checkbox, CheckboxGroup } from '../../../ui/checkboxes.tsx';
import { folded } from '../../../ui/folded.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { matches, type EventType } from './webhook-queries.ts';

const ALL = '*';

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
  const [search, setSearch] = useState('');
  const [initial] = useState(value);
  const words = folded(search).split(/\s+/);
  const isFound = ({ type, description }: EventType) =>
    words.every((word) => folded(`${type} ${description}`).includes(word));
  const groups = [...Map.groupBy(types, ({ type }) => type.slice(0, type.lastIndexOf('.')))];
  const offered = [ALL, ...groups.map(([group]) => `${group}.*`), ...types.map(({ type }) => type)];
  // A subscription made by the API can have others, such as `iam.*`.
  const others = initial.filter((filter) => !offered.includes(filter));
  const isCovered = (filter: string) =>
    value.some((other) => other !== filter && other.endsWith('*') && matches(other, filter));
  const covered = offered.filter(isCovered);
  const change = (next: readonly string[]) =>
    onChange(next.filter((filter) => value.includes(filter) || !covered.includes(filter)));
  return (
    <div className="stack tight">
      <SearchField label={text('webhooks.types.search')} onSearch={setSearch} />
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
        {!types.some(isFound) && <p className="soft">{text('webhooks.types.no-match')}</p>}
        {groups.map(([group, items]) => (
          <section key={group} className="permission-group" aria-label={group} hidden={!items.some(isFound)}>
            <Choice value={`${group}.*`} isCovered={isCovered(`${group}.*`)}>
              {text('webhooks.types.group')} <code className="small soft">{group}.*</code>
            </Choice>
            {items.map((item) => (
              <div key={item.type} hidden={!isFound(item)}>
                <Choice value={item.type} isCovered={isCovered(item.type)}>
                  <code className="small">{item.type}</code>
                  <span className="small soft line">{item.description}</span>
                </Choice>
              </div>
            ))}
          </section>
        ))}
      </CheckboxGroup>
    </div>
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
