import { type ReflectableDecorator, Reflector } from '@nestjs/core';
import {
  BrowserRouteMark,
  CountsAsReadMark,
  CrossOriginMark,
  DeprecatedMark,
  IfMatchMark,
  LargeBodyMark,
  RawBodyMark,
  TagMark,
  TextBodyMark,
  VersionedMark,
} from '../platform/api/index.js';
import { CreatedAt } from '../iam/index.js';
import { StrictLimit } from '../platform/rate-limit/index.js';

// The target of metadata is any function or class.
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type
export type Target = Function;

/** What a route declares besides its callers, on the handler or for its whole controller. */
const MARKS = {
  conditional: IfMatchMark,
  countsAsRead: CountsAsReadMark,
  createdAt: CreatedAt,
  crossOrigin: CrossOriginMark,
  deprecated: DeprecatedMark,
  maxJsonBytes: LargeBodyMark,
  opensInBrowser: BrowserRouteMark,
  rawBody: RawBodyMark,
  strictLimit: StrictLimit,
  tag: TagMark,
  textBody: TextBodyMark,
  versioned: VersionedMark,
} as const;

type Value<D> = D extends ReflectableDecorator<infer T> ? T : never;
export type RouteMarks = { readonly [N in keyof typeof MARKS]?: Value<(typeof MARKS)[N]> };

const reflector = new Reflector();

/** Reads the marks of a route: the handler's own first, then its controller's. */
export function readMarks(handler: Target, controller: Target): RouteMarks {
  const targets = [handler, controller];
  return Object.fromEntries(
    Object.entries(MARKS).map(([name, mark]) => [
      name,
      reflector.getAllAndOverride<unknown>(mark as ReflectableDecorator<unknown>, targets),
    ]),
  );
}
