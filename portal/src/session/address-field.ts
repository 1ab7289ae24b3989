import { useSearchParams } from 'wouter';

/**
 * A part of the filter of a list, kept in the address of the page: reload, Back and a link keep it.
 * @returns the value, null for none, and what sets it; null removes it
 */
export function useAddressField(name: string): [string | null, (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (value: string | null) =>
    setSearch(
      (others) => {
        const next = new URLSearchParams(others);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return [search.get(name), set];
}

type OrderOf<S extends string> = S | `-${S}`;

/**
 * Order of a list that the service sorts, kept in the address of the page as `sort`.
 * @param words columns by which it is sorted
 * @param first order before another is chosen
 */
export function useOrder<S extends string>(
  words: readonly S[],
  first: OrderOf<S>,
): [OrderOf<S>, (sort: string) => void] {
  const [chosen, set] = useAddressField('sort');
  const isKnown = words.some((word) => chosen === word || chosen === `-${word}`);
  return [isKnown ? (chosen as OrderOf<S>) : first, set];
}
