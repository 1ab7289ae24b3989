import '../styles/tables.css';
import type { ReactNode } from 'react';
import { Checkbox } from 'react-aria-components';
import { inBackground } from '../session/in-background.ts';
import { text } from '../messages/index.ts';
import { Button } from './button.tsx';
import { Check, Chevron } from './icons.tsx';
import { type ListQuery, Skeleton } from './list.tsx';
import { ErrorNotice } from './notice.tsx';

/** A column of a table. */
export interface Column<T> {
  readonly key: string;
  /** Heading; for screen readers only where the cells explain themselves. */
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** Word of the order that its heading sorts by; left out for a column that is not sorted. */
  readonly sort?: string;
  /** Whether it is left out on a narrow screen, where the first column says the most of it. */
  readonly isWide?: boolean;
  readonly cell: (item: T) => ReactNode;
}

/** Keys of the entries that are selected: `useSelection`. */
interface Selection<T> {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  readonly labelOf: (item: T) => string;
}

interface Props<T> extends Looks<T> {
  readonly query: ListQuery<T>;
  /** Text for the number of all entries; of those shown, where the list does not count. */
  readonly count?: (total: number) => string;
  readonly empty: ReactNode;
}

interface Looks<T> {
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly columns: readonly Column<T>[];
  /** Order in force: a word of a column, after `-` for descending. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  readonly selection?: Selection<T> | undefined;
}

/** Shows a list as a table in each of its states: loading, failed, empty, and with more pages. */
export function Table<T>({ query, count, empty, ...looks }: Props<T>) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (isPending) return <Skeleton label={looks.label} rows={6} />;
  if (!data) return <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      <div className="found" role="status">
        {data.length === 0 && empty}
        {data.length > 0 && count && <p className="soft small">{count(data.total ?? data.length)}</p>}
      </div>
      {data.length > 0 && <TableOf {...looks} items={data} />}
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => inBackground(fetchNextPage())}>
            {text('list.more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Shows entries that the page has as a table. */
export function TableOf<T>(props: Looks<T> & { readonly items: readonly T[] }) {
  const { items, label, keyOf, columns, selection } = props;
  return (
    <div className="table-frame">
      <table className="table" aria-label={label}>
        <Head {...props} />
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)} data-selected={selection?.selected.has(keyOf(item)) || undefined}>
              {selection && (
                <td className="tick">
                  <Tick
                    label={selection.labelOf(item)}
                    isSelected={selection.selected.has(keyOf(item))}
                    onChange={(isOn) => selection.onChange(changed(selection.selected, keyOf(item), isOn))}
                  />
                </td>
              )}
              {columns.map(({ key, isWide, cell }) => (
                <td key={key} className={isWide === true ? 'wide' : undefined} data-column={key}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<T>({
  columns,
  items,
  keyOf,
  selection,
  sort,
  onSort,
}: Looks<T> & { readonly items: readonly T[] }) {
  const isAll = selection !== undefined && items.every((item) => selection.selected.has(keyOf(item)));
  return (
    <thead>
      <tr>
        {selection && (
          <th className="tick">
            <Tick
              label={text('table.select-all')}
              isSelected={isAll}
              isIndeterminate={!isAll && selection.selected.size > 0}
              onChange={(isOn) => selection.onChange(new Set(isOn ? items.map(keyOf) : []))}
            />
          </th>
        )}
        {columns.map(({ key, label, isLabelHidden, sort: word, isWide }) => {
          const isSorted = word !== undefined && (sort === word || sort === `-${word}`);
          const isDown = sort?.startsWith('-') === true;
          return (
            <th
              key={key}
              className={isWide === true ? 'wide' : undefined}
              aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
            >
              {word !== undefined && onSort ? (
                <button
                  type="button"
                  className="sort"
                  onClick={() => onSort(isSorted && !isDown ? `-${word}` : word)}
                >
                  {label}
                  {isSorted && (
                    <span className={isDown ? 'arrow' : 'arrow up'}>
                      <Chevron size={14} />
                    </span>
                  )}
                </button>
              ) : (
                <span className={isLabelHidden === true ? 'unseen' : undefined}>{label}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface TickProps {
  readonly label: string;
  readonly isSelected: boolean;
  readonly isIndeterminate?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const Tick = ({ label, ...props }: TickProps) => (
  <Checkbox {...props} className="choice bare" aria-label={label}>
    <span className="box">
      {props.isIndeterminate === true ? <span className="dash" /> : <Check size={13} />}
    </span>
  </Checkbox>
);

function changed(selected: ReadonlySet<string>, key: string, isOn: boolean): ReadonlySet<string> {
  const next = new Set(selected);
  if (isOn) next.add(key);
  else next.delete(key);
  return next;
}
