/** What an API is, to its clients. */
export interface ProtectedResourceOptions {
  /** Identifier of the API: the `audience` of its {@link Verifier}. */
  readonly resource: string;
  /** The `PUBLIC_URL` of the service that issues its tokens. */
  readonly issuer: string;
  /** Names of scopes that clients can ask for. */
  readonly scopes?: readonly string[];
  readonly name?: string;
  /** Address of a page for developers. */
  readonly documentation?: string;
}

/** Metadata of an API (RFC 9728 section 2). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly scopes_supported?: readonly string[];
  readonly resource_name?: string;
  readonly resource_documentation?: string;
}

/** Why a request is refused; nothing for one without a token. */
export interface ResourceRefusal {
  readonly error?: 'invalid_token' | 'insufficient_scope' | 'insufficient_user_authentication';
  /** Scopes that the request needs. */
  readonly scopes?: readonly string[];
  /** Strength that the sign-in needs (RFC 9470). */
  readonly acr?: string;
  /** Seconds since the sign-in, at most (RFC 9470). */
  readonly maxAge?: number;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/**
 * Leads clients from a refusal to a token: an API serves {@link metadata} at {@link metadataPath},
 * and answers 401 and 403 with `WWW-Authenticate: ` and a {@link challenge}. A client that knows
 * nothing but the address of the API finds its way by them (RFC 9728, MCP).
 */
export class ProtectedResource {
  readonly metadata: ResourceMetadata;
  /** Path of the metadata at the host of the API (RFC 9728 section 3.1). */
  readonly metadataPath: string;
  readonly metadataUrl: string;

  /** @throws {TypeError} if identifier or issuer is no address */
  constructor({ resource, issuer, scopes, name, documentation }: ProtectedResourceOptions) {
    const { origin, pathname } = new URL(resource);
    new URL(issuer);
    this.metadata = {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      ...(scopes && { scopes_supported: scopes }),
      ...(name !== undefined && { resource_name: name }),
      ...(documentation !== undefined && { resource_documentation: documentation }),
    };
    this.metadataPath = WELL_KNOWN + (pathname === '/' ? '' : pathname);
    this.metadataUrl = origin + this.metadataPath;
  }

  /**
   * Returns the value of `WWW-Authenticate` for a refusal (RFC 6750 section 3, RFC 9470 section 3,
   * RFC 9728 section 5.1).
   * @throws {TypeError} for a text that is not quoted as it is: of other characters than ASCII, or
   *   with a quotation mark or backslash
   */
  challenge({ error, scopes, acr, maxAge }: ResourceRefusal = {}): string {
    const parameters = {
      error,
      scope: scopes?.join(' '),
      acr_values: acr,
      max_age: maxAge === undefined ? undefined : String(maxAge),
      resource_metadata: this.metadataUrl,
    };
    const written = Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}="${quotable(value)}"`],
    );
    return `Bearer ${written.join(', ')}`;
  }
}

/** @throws {TypeError} */
function quotable(value: string): string {
  if (!/^[ !#-[\]-~]*$/.test(value)) throw new TypeError('A challenge has other characters than ASCII.');
  return value;
}
