import { useSearchParams } from 'wouter';
import { useAddressField } from '../session/address-field.ts';
import { folded } from './folded.ts';
import type { ListQuery } from './list.tsx';

interface Options<T> {
  /** What a column is sorted by, by its word. */
  readonly by: Readonly<Record<string, (item: T) => string>>;
  /** Order of the table before another is chosen. */
  readonly first: string;
  /** Text in which a search looks; left out where the service searches, or nothing does. */
  readonly textOf?: (item: T) => string;
  /** Field of the address of the page that keeps the order, for the second table of a page. */
  readonly field?: string;
}

/** Sorts and searches a whole list, as the address of the page says. @returns props of its table */
export function useWholeTable<T>(query: ListQuery<T>, { by, first, textOf, field = 'sort' }: Options<T>) {
  const [search] = useSearchParams();
  const [chosen, onSort] = useAddressField(field);
  const sort = chosen !== null && Object.hasOwn(by, chosen.replace('-', '')) ? chosen : first;
  const valueOf = by[sort.replace('-', '')] ?? (() => '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const wanted = folded(search.get('q') ?? '');
  const data = query.data
    ?.filter((item) => textOf === undefined || folded(textOf(item)).includes(wanted))
    .toSorted((a, b) => sign * valueOf(a).localeCompare(valueOf(b), undefined, { numeric: true }));
  return { table: { query: { ...query, data } as ListQuery<T>, sort, onSort }, isSearched: wanted !== '' };
}
