import { pagePolicy } from '../platform/web/index.js';

/**
 * Hashes of two style rules that React Aria adds to the page: touch handling of buttons, and no
 * scrolling behind a dialog on iOS. They are constant within a version;
 * test/portal/accessibility.spec.ts fails when an upgrade changes them.
 */
const LIBRARY_STYLES = [
  'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=',
  'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=',
];

const PAGE = {
  scripts: ["'self'"],
  styles: ["'self'", ...LIBRARY_STYLES.map((hash) => `'${hash}'`)],
};

/** Policy of the portal's pages. */
export const CONTENT_SECURITY_POLICY = pagePolicy(PAGE);

/**
 * Policy of the page of stations, which can be installed. Trusted types count the address of a
 * service worker as a script, so that it registers its worker by this policy's name.
 */
export const STATION_POLICY = `${pagePolicy({ ...PAGE, trustedTypes: ['station-worker'] })}; manifest-src 'self'`;

/** Policy of the service worker of that page: its own header counts for what it fetches. */
export const STATION_WORKER_POLICY = "default-src 'none'; connect-src 'self'";
