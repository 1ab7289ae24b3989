/** Sources of a page, besides its own server for images and requests of scripts. */
interface PageSources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Addresses that forms may be sent to; none if left out. */
  readonly forms?: readonly string[];
  /** Names of the policies that create addresses of scripts; none if left out. */
  readonly trustedTypes?: readonly string[];
}

/** Returns the content security policy of a page: own scripts and styles, no frames. */
export const pagePolicy = ({
  scripts,
  styles,
  forms = ["'none'"],
  trustedTypes = ["'none'"],
}: PageSources): string =>
  Object.entries({
    'default-src': ["'none'"],
    'script-src': scripts,
    'style-src': styles,
    'img-src': ["'self'"],
    'connect-src': ["'self'"],
    'form-action': forms,
    'frame-ancestors': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    'trusted-types': trustedTypes,
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
