import { useInfiniteQuery, type UseInfiniteQueryResult, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Trouble } from './notice.tsx';

/** A part of a list as the service answers it. */
interface Part<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

type ListQuery<T> = UseInfiniteQueryResult<readonly T[]>;

/** A list that is read part by part. */
export function useList<T>(
  key: QueryKey,
  read: (cursor: string | undefined) => Promise<Part<T>>,
): ListQuery<T> {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  });
}

interface Props<T> {
  readonly query: ListQuery<T>;
  readonly label: string;
  readonly className?: string;
  /** For when there is nothing: what the list will hold, and how it comes to. */
  readonly empty: ReactNode;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ReactNode;
}

/** Shows a list in each of its states: on its way, not to be had, empty, and with more to come. */
export function List<T>({ query, label, className = 'list', empty, keyOf, children }: Props<T>) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (isPending) return <Skeleton label={label} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return empty;
  return (
    <>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      <ul className={className} aria-label={label}>
        {data.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

/** Stands where a list is about to be. */
export function Skeleton({ label, rows = 3 }: { readonly label: string; readonly rows?: number }) {
  return (
    <div className="list" role="status" aria-label={`Loading: ${label}`}>
      {Array.from({ length: rows }, (_, n) => (
        <div key={n} className="item">
          <span className="bone avatar" />
          <span className="what">
            <span className="bone wide" />
            <span className="bone narrow" />
          </span>
        </div>
      ))}
    </div>
  );
}

/** Nothing yet, and what there could be. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
