import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const COUNTS_AS_READ = 'gatehouse:counts-as-read';

/** Marks a POST that changes nothing: the rate limit counts it in the `read` bucket. */
export function CountsAsRead(): CustomDecorator {
  return SetMetadata(COUNTS_AS_READ, true);
}
