import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const CLEANUP = 'gatehouse:tidies';

/**
 * Marks a method that removes what has had its time. It is called every ten minutes, on one replica, and has to cope with being stopped halfway. If it
 * answers true, there was no time for all of it, and it is called again after the others.
 */
export function Cleanup(): CustomDecorator {
  return SetMetadata(CLEANUP, true);
}
