/**
 * Code that exists for speed alone. TEST_FAST_PATH=off leaves all of it out: responses are the
 * same, byte for byte (`test/e2e/platform/fast-path.spec.ts`). Figures: microseconds of processor
 * per request without and with the piece, for a read and for a permission check, medians of nine
 * rounds in turns on 2026-11-22, on a machine with other work (median of the rounds' ratios in
 * brackets).
 *
 * - All: 346 and 243 (1.42); 467 and 372 (1.18).
 * - Dispatch of `FastAdapter` by a tree of routes (ADR 20) instead of Express's comparison with
 *   the pattern of each route: 341 and 243 (1.42); 567 and 372 (1.40). The request pipeline needs
 *   the tree in any case.
 * - `FastAdapter.reply` writes JSON without Express's settings and its parsing of the content type:
 *   323 and 243 (1.17); 446 and 372 (1.20).
 * - `inTurn` runs the middlewares before the route as one: 298 and 243 (1.18); 420 and 372 (1.18),
 *   still without those that read bodies.
 * - Requests and responses that are created with Express's prototypes: 296 and 243 (1.27); 425 and
 *   372 (1.15).
 * - `rememberValidationMetadata`: 8.8 and 3.8 µs for the body of a refresh alone, 8.3 and 2.9 for
 *   that of a permission check, on 2026-11-27.
 * - `arrivalsOfTurn` lets the requests that arrive in one turn of the event loop take each step
 *   together: 93 and 45 for a read, 97 and 45 for userinfo, 240 and 103 for a token by client
 *   credentials, on 2026-11-27 with 32 connections. Without others, a request costs the same.
 */
export { arrivalsOfTurn } from './arrivals.js';
export { inTurn } from './in-turn.js';
export { newAdapter } from './fast-adapter.js';
export { rememberValidationMetadata } from './validation-metadata.js';
