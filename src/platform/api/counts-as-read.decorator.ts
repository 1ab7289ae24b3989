import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const COUNTS_AS_READ = 'gatehouse:counts-as-read';

/** A POST that only asks: it takes from the read bucket. */
export function CountsAsRead(): CustomDecorator {
  return SetMetadata(COUNTS_AS_READ, true);
}
