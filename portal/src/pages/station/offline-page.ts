import { PAGE_PATHS } from '../../session/paths.ts';

const CACHE = 'station';
const WORKER = '/station-worker.js';
/** Files that the page loads by these names; all others have names that no other release uses. */
const NAMED = [PAGE_PATHS.station, '/theme.js', '/favicon.svg'];
const HASHED = '/assets/';

/** What this page uses of Trusted Types, which the types of browsers lack. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(input: string): string };
}

/**
 * Keeps the files that this page has loaded, for a reload without a network. Removes what an
 * earlier release has kept. All of them are the same for everyone: no response of the API is kept.
 */
export async function keepPage(): Promise<void> {
  if (!('caches' in globalThis)) return; // of a private window, or not secure
  const loaded = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith(HASHED));
  const files = [...new Set([...NAMED, ...loaded.map(({ pathname }) => pathname)])];
  const responses = await Promise.all(files.map(fetchFile));
  const cache = await caches.open(CACHE);
  await Promise.all(responses.map(([file, response]) => cache.put(file, response)));
  const old = (await cache.keys()).filter(({ url }) => !files.includes(new URL(url).pathname));
  await Promise.all(old.map((request) => cache.delete(request)));
}

async function fetchFile(file: string): Promise<[string, Response]> {
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file} answered ${response.status}.`);
  return [file, response];
}

/** Registers the worker that shows the kept page. The browser replaces it with a new release. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('station-worker', { createScriptURL: () => WORKER });
  await navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER, {
    scope: PAGE_PATHS.station,
  });
}
