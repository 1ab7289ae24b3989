import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useShownSearch } from './shown-address.ts';

/**
 * Query of the page. Not the hook of the router, which decodes it once more than the browser and so
 * changes the `state` of an app.
 */
export function usePageQuery(): URLSearchParams {
  const search = useShownSearch();
  return useMemo(() => new URLSearchParams(search), [search]);
}

/** Path of the page with its query. */
export function useHere(): string {
  const [path] = useLocation();
  return path + useShownSearch();
}
