import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiTags } from './swagger/described.js';

/** Tag of the OpenAPI document. */
export interface TagInfo {
  readonly name: string;
  readonly description: string;
}

/** Metadata of {@link Tag}. */
export const TagMark = Reflector.createDecorator<TagInfo>();

/**
 * Groups the operations of a controller under an API tag. The description is declared here, so that
 * each module brings its own.
 */
export function Tag(name: string, description: string): ClassDecorator {
  return applyDecorators(ApiTags(name), TagMark({ name, description }));
}
