import { Reflector } from '@nestjs/core';

/**
 * Opens a route to callers without an access token: `@Public('why')`, with the reason for reviewers
 * of the route manifest.
 */
export const Public = Reflector.createDecorator<string>();
