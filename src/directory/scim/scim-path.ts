import type { Request } from 'express';

/** Path of the controllers of SCIM, below which each directory has its base address. */
export const SCIM_PATH = 'api/scim/v2/:directoryId';

const PREFIX = '/api/scim/v2/';

/** Removes empty segments: providers join the base address and a path with two slashes. */
export function mendScimPath(request: Request): void {
  const { path, url } = request;
  if (!path.startsWith(PREFIX) || !path.includes('//')) return;
  request.url = path.replaceAll(/\/{2,}/g, '/') + url.slice(path.length);
}

/** Returns the path of a request below the base address of its directory. */
export function pathBelowDirectory({ path }: Request): string {
  const [, ...segments] = path.slice(PREFIX.length).split('/');
  return `/${segments.filter((segment) => segment !== '').join('/')}`;
}
