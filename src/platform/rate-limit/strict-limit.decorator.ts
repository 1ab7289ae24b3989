import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { StrictBucket } from '../../kernel/index.js';

export const STRICT_LIMIT = 'gatehouse:strict-limit';

/** Counts a route in a strict bucket, in addition to the general one. */
export function StrictLimit(bucket: StrictBucket): CustomDecorator {
  return SetMetadata(STRICT_LIMIT, bucket);
}
