import { useState, type ReactNode } from 'react';
import { text } from '../messages/index.ts';
import { folded } from './folded.ts';
import { SearchField } from './search-field.tsx';

/** What is known of an item of a group. */
interface Entry {
  readonly id: string;
  readonly group: string;
  /** Title, description and what else is searched, next to the id. */
  readonly words: readonly (string | null)[];
}

interface Props<Item> {
  readonly items: readonly Item[];
  readonly entryOf: (item: Item) => Entry;
  /** Whether groups are identifiers, which no language translates. */
  readonly hasCodes?: boolean;
  /** Label of the search. */
  readonly label: string;
  readonly noMatch: string;
  /** Left out where nothing can be selected. */
  readonly isSelected?: (item: Item) => boolean;
  /** Shown above the items of a group; gets those that the search has found. */
  readonly head?: (group: string, found: readonly Item[]) => ReactNode;
  /** Puts the groups, without the search, into a field. */
  readonly frame?: (groups: ReactNode) => ReactNode;
  readonly children: (item: Item) => ReactNode;
}

/**
 * Lists items by group, folded, with a search that unfolds what it finds. What is hidden stays
 * selected.
 */
export function Folds<Item>(props: Props<Item>) {
  const { items, entryOf, hasCodes, label, noMatch, isSelected, head, children } = props;
  const { frame = (groups) => groups } = props;
  const [search, setSearch] = useState('');
  const searched = folded(search).split(/\s+/);
  const isFound = (item: Item) => {
    const { id, words } = entryOf(item);
    const all = folded([id, ...words].join(' '));
    return searched.every((word) => all.includes(word));
  };
  const groups = [...Map.groupBy(items, (item) => entryOf(item).group)];
  const list = (
    <ul className="list" hidden={!items.some(isFound)}>
      {groups.map(([group, members]) => {
        const found = members.filter(isFound);
        const count = members.length;
        return (
          <li key={group} hidden={found.length === 0}>
            <details className="disclosure" open={search !== ''}>
              <summary>
                <span className="row">
                  <strong>{hasCodes ? <code>{group}</code> : group}</strong>
                  <span className="soft small">
                    {isSelected
                      ? text('selected', { selected: members.filter(isSelected).length, count })
                      : count}
                  </span>
                </span>
              </summary>
              <div>
                {head?.(group, found)}
                <ul className="choices">
                  {members.map((item) => (
                    <li key={entryOf(item).id} hidden={!found.includes(item)}>
                      {children(item)}
                    </li>
                  ))}
                </ul>
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
  return (
    <div className="stack tight">
      <SearchField label={label} onSearch={setSearch} />
      {frame(
        <>
          {!items.some(isFound) && <p className="soft">{noMatch}</p>}
          {list}
        </>,
      )}
    </div>
  );
}
