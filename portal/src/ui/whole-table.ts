import { useSearchParams } from 'wouter';
import { useAddressField } from '../session/address-field.ts';
import { folded } from './folded.ts';
import type { ListQuery } from './list.tsx';

interface Options<T> {
  /** What a column is sorted by, by its word. */
  readonly by: Readonly<Record<string, (item: T) => string>>;
  /** Order of the table before another is chosen. */
  readonly first: string;
  /** Text in which a search looks. */
  readonly textOf: (item: T) => string;
}

/** Sorts and searches a whole list, as the address of the page says. @returns props of its table */
export function useWholeTable<T>(query: ListQuery<T>, { by, first, textOf }: Options<T>) {
  const [search] = useSearchParams();
  const [chosen, onSort] = useAddressField('sort');
  const sort = chosen !== null && Object.hasOwn(by, chosen.replace('-', '')) ? chosen : first;
  const valueOf = by[sort.replace('-', '')] ?? textOf;
  const sign = sort.startsWith('-') ? -1 : 1;
  const wanted = folded(search.get('q') ?? '');
  const data = query.data
    ?.filter((item) => folded(textOf(item)).includes(wanted))
    .toSorted((a, b) => sign * valueOf(a).localeCompare(valueOf(b), undefined, { numeric: true }));
  return { table: { query: { ...query, data } as ListQuery<T>, sort, onSort }, isSearched: wanted !== '' };
}
