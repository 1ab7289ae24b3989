import { Reflector } from '@nestjs/core';

/** Kinds of callers that a route takes. */
export type RouteCallers = 'people' | 'machines' | 'people and machines';

/**
 * Declares the kinds of callers of a route or of all routes of a controller. Without it, a route is
 * for people: a service account gets 403.
 */
export const OpenTo = Reflector.createDecorator<RouteCallers>();
