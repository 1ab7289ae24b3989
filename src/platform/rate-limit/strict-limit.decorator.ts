import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import type { StrictBucket } from '../../kernel/index.js';

export const STRICT_LIMIT = 'gatehouse:strict-limit';

/** Asks a strict bucket beside the general one before the handler runs. */
export function StrictLimit(bucket: StrictBucket): CustomDecorator {
  return SetMetadata(STRICT_LIMIT, bucket);
}
