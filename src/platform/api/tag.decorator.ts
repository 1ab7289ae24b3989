import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiTags } from './swagger/described.js';

export const TAG = 'gatehouse:tag';

/** Tag of the OpenAPI document. */
export interface TagInfo {
  readonly name: string;
  readonly description: string;
}

/**
 * Groups the operations of a controller under an API tag. The description is declared here, so that
 * each module brings its own.
 */
export function Tag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), SetMetadata(TAG, { name, description } satisfies TagInfo));
}
