import { applyDecorators, Header } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** Metadata of {@link Deprecated}. */
export const DeprecatedMark = Reflector.createDecorator<true>();

/** When and why a route goes. */
export interface Deprecation {
  /** The day from which on it should not be used, such as `2026-11-23`. */
  readonly since: string;
  /** The first day on which it may be gone. */
  readonly sunset?: string;
  /** Page that says what to use in its place. */
  readonly link: string;
}

/**
 * Announces that a route will go, by `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a link, and
 * in the API document.
 */
export function Deprecated({ since, sunset, link }: Deprecation): MethodDecorator {
  return applyDecorators(
    DeprecatedMark(true),
    Header('Deprecation', `@${timeOf(since) / 1000}`),
    Header('Link', `<${link}>; rel="deprecation"; type="text/html"`),
    ...(sunset === undefined ? [] : [Header('Sunset', new Date(timeOf(sunset)).toUTCString())]),
  );
}

function timeOf(day: string): number {
  const time = Date.parse(day);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(time))
    throw new Error(`@Deprecated: ${day} is not a day as 2026-11-23 is.`);
  return time;
}
