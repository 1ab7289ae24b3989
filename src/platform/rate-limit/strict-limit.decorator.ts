import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const STRICT_LIMIT = 'gatehouse:strict-limit';

/** The stricter buckets of contract section 4, counted per client address. */
export const STRICT_BUCKETS = ['login', 'refresh', 'request-password-reset'] as const;
export type StrictBucket = (typeof STRICT_BUCKETS)[number];

/** Asks a strict bucket beside the general one before the handler runs. */
export function StrictLimit(bucket: StrictBucket): CustomDecorator {
  return SetMetadata(STRICT_LIMIT, bucket);
}
