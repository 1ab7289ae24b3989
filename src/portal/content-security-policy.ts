/**
 * Two rules that React Aria writes into the page as it runs: how pressable things take touches, and, on an iPhone, that a page does not scroll
 * behind a dialog. Their texts never change within a version; test/portal/accessibility.spec.ts notices when an upgrade changes them.
 */
const LIBRARY_STYLES = [
  'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=',
  'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=',
];

/** What a page of the portal may do: run its own scripts, ask its own server, be shown in nobody's frame, and nothing else. */
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
