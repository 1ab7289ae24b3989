import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC = 'gatehouse:public';

/** Opens a route to callers without a token. The reason is mandatory: it is what a reviewer of the route manifest reads. */
export function Public(why: string): CustomDecorator {
  return SetMetadata(PUBLIC, why);
}
