import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Metadata of {@link LargeBody}. */
export const LargeBodyMark = Reflector.createDecorator<number>();

/** Accepts a larger JSON body of this number of bytes, from authenticated callers alone. */
export function LargeBody(maxBytes: number): CustomDecorator {
  return LargeBodyMark(maxBytes);
}
