/**
 * Code that exists for speed alone; responses are the same without it. Figures: bench/README.md,
 * "Found by profiles, and changed", in microseconds of processor per request.
 *
 * - `RouteTree` and the dispatch of `ServiceAdapter` (ADR 20) replace Express's comparison with
 *   about ninety patterns: a read took 245 µs and takes 170, a permission check 395 and 270.
 *   Without the dispatch, Express would match by its own rules. The request pipeline needs the
 *   tree in any case: it decides by it whether a route exists and which limits apply.
 * - `ServiceAdapter.reply` writes JSON without Express's settings and its parsing of the content
 *   type. Together with `inTurn`: 8 % of a permission check. Without it, Nest's `reply` writes the
 *   response.
 * - `inTurn` runs the first middlewares of each request as one. Without it, each is a `use` of its
 *   own, in the same order.
 * - `ServiceAdapter.initHttpServer` creates requests and responses with Express's prototypes: 2 %
 *   of a permission check; a read took 260 µs and takes 243, on a busy machine. Without it,
 *   Express sets the prototypes. `requireHostHeader: false` is not for speed and must stay.
 */
export { inTurn } from './in-turn.js';
export { RouteTree } from './route-tree.js';
export { ServiceAdapter } from './service-adapter.js';
