import type { CustomDecorator } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Metadata of {@link Cleanup}. */
export const CleanupMark = Reflector.createDecorator<true>();

/**
 * Marks a method that deletes expired rows. It is called every ten minutes on one replica and must
 * tolerate being stopped at any point. If it resolves to true, rows are left, and it is called
 * again after the others.
 */
export function Cleanup(): CustomDecorator {
  return CleanupMark(true);
}
