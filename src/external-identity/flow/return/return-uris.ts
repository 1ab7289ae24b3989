import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { isPlainUrl, type Settings, SETTINGS } from '../../../platform/config/index.js';
import { AppError } from '../../../platform/errors/index.js';

/** Addresses to which the browser may return with the outcome of a sign-in. */
@Injectable()
export class ReturnUris implements OnModuleInit {
  private readonly logger = new Logger('ExternalSignIn');

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  onModuleInit(): void {
    if (this.settings.RETURN_URIS === null)
      this.logger.warn(
        'RETURN_URIS=*: anyone who gets a person to follow a link to this service can take their tokens.',
      );
  }

  /**
   * Returns the address to return to: the app's own if none is requested.
   * @param field of the request, for the violation
   * @throws {AppError} validation-error if the address is not on the list
   */
  require(wanted: string | null | undefined, field = 'returnUri'): string {
    const { APP_URL, RETURN_URIS } = this.settings;
    if (wanted === undefined || wanted === null) return APP_URL;
    if (
      !isPlainUrl(wanted) ||
      !(RETURN_URIS === null || RETURN_URIS.some((allowed) => covers(allowed, wanted)))
    )
      throw AppError.violation(field, 'is not one of the addresses that this deployment returns to');
    return wanted;
  }
}

/** Compares by parsed origin and whole path segments, never by string prefix. */
function covers(allowed: string | RegExp, wanted: string): boolean {
  const { origin, pathname } = new URL(wanted);
  if (allowed instanceof RegExp) return allowed.test(origin);
  const base = new URL(allowed);
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`;
  return origin === base.origin && (pathname === base.pathname || pathname.startsWith(folder));
}
