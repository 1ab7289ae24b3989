import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const BEARER = 'gatehouse:bearer';

/** Declares that any signed-in user may call the route: it acts on the caller's own things alone. */
export function Bearer(): CustomDecorator {
  return SetMetadata(BEARER, true);
}
