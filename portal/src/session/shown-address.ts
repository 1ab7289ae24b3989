import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { inBackground } from './in-background.ts';

/** Loads the page of a path; null if it can be shown at once. */
type Load = (pathname: string) => Promise<void> | null;

const here = () => ({ pathname: location.pathname, search: location.search });
const listeners = new Set<() => void>();
let shown = here();
/** Address of the page that is being loaded; null if none is. */
let awaited: string | null = null;
const tell = () => listeners.forEach((listener) => listener());

/**
 * Shows the page of the address now. Before the first page: what was moved out of the address has
 * changed it since this file was loaded.
 */
export function show(): void {
  shown = here();
  awaited = null;
  tell();
}

/** Shows each page of the address once it is loaded. The page before stays until then. */
export function showAfter(load: Load): void {
  const follow = () => {
    const { href, pathname } = location;
    const loading = load(pathname);
    if (loading === null) return show();
    awaited = href;
    tell();
    inBackground(loading.then(() => location.href === href && show()));
  };
  // The router reports its own changes of the address by the last two events.
  for (const event of ['popstate', 'pushState', 'replaceState']) addEventListener(event, follow);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Address for the router: that of the page that is shown. */
export const useShownPath = (): [string, typeof navigate] => [
  useSyncExternalStore(subscribe, () => shown.pathname),
  navigate,
];

export const useShownSearch = (): string => useSyncExternalStore(subscribe, () => shown.search);

/** Whether a page is being loaded, while the one before it is shown. */
export const useIsLoading = (): boolean => useSyncExternalStore(subscribe, () => awaited !== null);
