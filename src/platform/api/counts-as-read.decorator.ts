import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Metadata of {@link CountsAsRead}. */
export const CountsAsReadMark = Reflector.createDecorator<true>();

/** Marks a POST that changes nothing: the rate limit counts it in the `read` bucket. */
export function CountsAsRead(): CustomDecorator {
  return CountsAsReadMark(true);
}
