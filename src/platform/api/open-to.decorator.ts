import { Reflector } from '@nestjs/core';

/** Kinds of callers that a route takes. */
export type RouteCallers = 'people' | 'machines' | 'people and machines';

/**
 * Declares the kinds of callers of a route without scopes. Without it, such a route is for people:
 * a service account gets 403. A route with scopes takes those who can hold them.
 */
export const OpenTo = Reflector.createDecorator<RouteCallers>();
