import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiTags } from './swagger/described.js';

export const TAG = 'gatehouse:tag';

/** A chapter of the API documentation. */
export interface TagInfo {
  readonly name: string;
  readonly description: string;
}

/** Puts a controller's operations into a chapter. The description stands here so that a module brings its own. */
export function Tag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(TAG, { name, description } satisfies TagInfo));
}
