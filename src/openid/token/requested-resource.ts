import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { OAuthError } from './oauth-error.js';

/** Parameters that name the service for which a token is (RFC 8707, RFC 8693 section 2.1). */
type Parameters = Readonly<Record<string, string>>;

/**
 * Checks for which resource a client asks. Access tokens are for the API of this service alone:
 * one for another service would be refused there, or accepted by mistake.
 */
@Injectable()
export class RequestedResource {
  private readonly own: ReadonlySet<string>;

  constructor(@Inject(SETTINGS) { PUBLIC_URL: api, TOKEN_AUDIENCE: audience }: Settings) {
    // With the slash, too: clients write an address without a path as URL parsers do.
    this.own = new Set([api, `${api}/`, audience]);
  }

  /**
   * Requires that `resource` (RFC 8707 section 2), if given, is the API.
   * @throws {OAuthError} invalid_target
   */
  require({ resource }: Parameters): void {
    if (resource !== undefined && !this.own.has(resource)) throw invalidTarget('resource');
  }

  /**
   * Requires that `audience` of a token exchange (RFC 8693 section 2.1), if given, is the API.
   * @throws {OAuthError} invalid_target
   */
  requireAudience({ audience }: Parameters): void {
    if (audience !== undefined && !this.own.has(audience)) throw invalidTarget('audience');
  }
}

const invalidTarget = (name: string): OAuthError =>
  new OAuthError('invalid_target', `${name} must be the API of this service, which alone takes its tokens.`);
