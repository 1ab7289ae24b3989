import { isUlid } from '../../../kernel/index.js';

/** Words that would pass for a part of the service in the address of a page, with any hyphens. */
const RESERVED: ReadonlySet<string> = new Set([
  'account',
  'admin',
  'administrator',
  'api',
  'auth',
  'console',
  'help',
  'login',
  'logout',
  'operator',
  'root',
  'security',
  'setup',
  'signin',
  'signout',
  'signup',
  'sso',
  'status',
  'support',
  'system',
  'www',
]);

export const MIN_SLUG_LENGTH = 3;
export const MAX_SLUG_LENGTH = 50;
/** Lower-case letters and digits in groups, joined by single hyphens: no `xn--` either. */
export const SLUG_PATTERN = '^[a-z0-9]+(?:-[a-z0-9]+)*$';

/**
 * Returns whether an organization cannot have the slug, as it would pass for the service, or for
 * the id of another organization.
 */
export const isReservedSlug = (slug: string): boolean =>
  RESERVED.has(slug.replaceAll('-', '')) || isUlid(slug.toUpperCase());
