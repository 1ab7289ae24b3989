/**
 * Hashes of two style rules that React Aria adds to the page: touch handling of buttons, and no
 * scrolling behind a dialog on iOS. They are constant within a version;
 * test/portal/accessibility.spec.ts fails when an upgrade changes them.
 */
const LIBRARY_STYLES = [
  'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=',
  'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=',
];

/** Policy of the portal's pages: own scripts, own server, no frames, nothing else. */
export const CONTENT_SECURITY_POLICY = Object.entries({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", ...LIBRARY_STYLES.map((hash) => `'${hash}'`)],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ["'none'"],
})
  .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
  .join('; ');
