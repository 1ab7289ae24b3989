import { Reflector } from '@nestjs/core';
import type { StrictBucket } from './buckets/network-bucket.js';

/** Counts a route in a strict bucket, in addition to the general one. */
export const StrictLimit = Reflector.createDecorator<StrictBucket>();
