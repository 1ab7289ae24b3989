import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const BEARER = 'gatehouse:bearer';

/** Which bearers a route is for. */
export interface BearerOptions {
  /** Our own app alone, and no satellite: what keeps, opens or ends the account itself. */
  readonly firstParty: boolean;
  /** Seconds since the newest proof of who the caller is; an older one is 401 `insufficient-user-authentication` (RFC 9470). */
  readonly maxAge?: number;
}

/** Declares that any signed-in user may call the route: it acts on the caller's own things alone. */
export function Bearer(options: BearerOptions = { firstParty: false }): CustomDecorator {
  return SetMetadata(BEARER, options);
}
