import {
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  type QueryKey,
} from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';
import { text } from '../messages/index.ts';
import { inBackground } from '../session/in-background.ts';

/** A page of a list, as the service returns it. */
interface Part<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  /** Number of all entries, on the first page of lists that count. */
  readonly total?: number | undefined;
}

export type ListQuery<T> = UseInfiniteQueryResult<readonly T[] & { readonly total?: number | undefined }>;

/**
 * Reads a list page by page.
 * @param options `enabled` false if the user may not read it; `pollMs` reads it again after a pause
 *   while `isChanging` says so
 */
export function useList<T>(
  key: QueryKey,
  read: (cursor: string | undefined) => Promise<Part<T>>,
  {
    enabled = true,
    pollMs = 0,
    isChanging,
  }: { enabled?: boolean; pollMs?: number; isChanging?: (items: readonly T[]) => boolean } = {},
): ListQuery<T> {
  return useInfiniteQuery({
    queryKey: key,
    enabled,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    select: ({ pages }) =>
      Object.assign(
        pages.flatMap(({ items }) => items),
        { total: pages[0]?.total },
      ),
    refetchInterval: ({ state }) =>
      isChanging?.(state.data?.pages.flatMap(({ items }) => items) ?? []) === true && pollMs,
    placeholderData: keepPreviousData, // while a filter changes
  });
}

/** Entries of each request for a whole list: the most that the service returns. */
const WHOLE_PAGE_SIZE = 100;

/** Reads a list as a whole: one of which an organization has at most a few pages. */
export const useWhole = <T,>(
  key: QueryKey,
  read: (page: { readonly cursor: string | undefined; readonly limit: number }) => Promise<Part<T>>,
  options: { enabled?: boolean } = {},
): ListQuery<T> =>
  useList(
    key,
    async () => {
      const items: T[] = [];
      let cursor: string | undefined;
      do {
        const page = await read({ cursor, limit: WHOLE_PAGE_SIZE });
        items.push(...page.items);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return { items, nextCursor: null };
    },
    options,
  );

interface Props<T> {
  readonly query: ListQuery<T>;
  readonly label: string;
  /** Text for the number of all entries; of those shown, where the list does not count. */
  readonly count?: (total: number) => string;
  readonly className?: string;
  /** Shown for an empty list: what it will contain, and how. */
  readonly empty: ReactNode;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T, all: readonly T[]) => ReactNode;
}

/** Shows a list in each of its states: loading, failed, empty, and with more pages. */
export function List<T>({ query, label, count, className = 'list', empty, keyOf, children }: Props<T>) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  if (isPending) return <Skeleton label={label} />;
  if (!data) return <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />;
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />}
      {/* Stays while a filter changes, so that screen readers announce what it finds. */}
      <div className="found" role="status">
        {data.length === 0 && empty}
        {data.length > 0 && count && <p className="soft small">{count(data.total ?? data.length)}</p>}
      </div>
      {data.length > 0 && (
        <ul className={className} aria-label={label}>
          {data.map((item) => (
            <li key={keyOf(item)}>{children(item, data)}</li>
          ))}
        </ul>
      )}
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

/** Time after which a page says that it still waits. */
const SLOW_MS = 3_000;

/** Placeholder of a loading list. Says so if it takes long. */
export function Skeleton({ label, rows = 3 }: { readonly label: string; readonly rows?: number }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="stack tight">
      <p className="soft" role="status">
        {isSlow && text(navigator.onLine ? 'list.slow' : 'list.offline')}
      </p>
      <Bones label={label} rows={rows} />
    </div>
  );
}

function Bones({ label, rows }: { readonly label: string; readonly rows: number }) {
  return (
    <div className="list" role="status" aria-label={text('list.loading', { what: label })}>
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

interface EmptyProps {
  readonly title: string;
  /** What the list will contain, and how. */
  readonly lead?: string | undefined;
  /** What the user can do. */
  readonly children?: ReactNode;
}

/** Notice for an empty list. */
export function Empty({ title, lead, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {lead !== undefined && <p>{lead}</p>}
      {children}
    </div>
  );
}
