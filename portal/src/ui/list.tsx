import { useInfiniteQuery, type UseInfiniteQueryResult, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';

/** A page of a list, as the service returns it. */
interface Part<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

type ListQuery<T> = UseInfiniteQueryResult<readonly T[]>;

/** Reads a list page by page. */
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
  /** Shown for an empty list: what it will contain, and how. */
  readonly empty: ReactNode;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ReactNode;
}

/** Shows a list in each of its states: loading, failed, empty, and with more pages. */
export function List<T>({ query, label, className = 'list', empty, keyOf, children }: Props<T>) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (isPending) return <Skeleton label={label} />;
  if (!data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return empty;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
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

/** Placeholder of a loading list. */
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

/** Notice for an empty list. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
