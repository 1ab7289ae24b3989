const KEY = 'gatehouse.reloaded';
/** A second failure within this time is no matter of an old release. */
const PAUSE_MS = 60_000;

/**
 * Loads the page again after one of its files could not be loaded, as those of an old release are
 * gone after an upgrade. Not if the service cannot be reached, and not twice in a row.
 * @returns whether the page is being loaded again
 */
export async function reloadOnce(): Promise<boolean> {
  try {
    const before = Number(sessionStorage.getItem(KEY));
    if (Date.now() - before < PAUSE_MS) return false;
    if (!(await fetch(location.pathname, { method: 'HEAD' })).ok) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return false; // not reachable, or no storage to remember it in
  }
  location.reload();
  return true;
}
