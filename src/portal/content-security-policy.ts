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

/** Policy of the portal's pages, and of the page of stations, which can be installed. */
export const CONTENT_SECURITY_POLICY = `${pagePolicy({
  scripts: ["'self'"],
  styles: ["'self'", ...LIBRARY_STYLES.map((hash) => `'${hash}'`)],
})}; manifest-src 'self'`;
