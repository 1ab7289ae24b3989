import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC = 'gatehouse:public';

/**
 * Opens a route to callers without an access token.
 * @param why reason for reviewers of the route manifest
 */
export function Public(why: string): CustomDecorator {
  return SetMetadata(PUBLIC, why);
}
