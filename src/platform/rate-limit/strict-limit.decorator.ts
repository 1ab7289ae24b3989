import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const STRICT_LIMIT = 'gatehouse:strict-limit';

/**
 * Buckets beside the general ones, counted per client network whatever token is shown. `hash` is of every route that hashes a password
 * and is not `login`: accounts are free, so that counting hashes per account would limit nobody.
 */
export const STRICT_BUCKETS = ['login', 'refresh', 'request-password-reset', 'hash'] as const;
export type StrictBucket = (typeof STRICT_BUCKETS)[number];

/** Asks a strict bucket beside the general one before the handler runs. */
export function StrictLimit(bucket: StrictBucket): CustomDecorator {
  return SetMetadata(STRICT_LIMIT, bucket);
}
