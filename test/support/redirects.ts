import { CookieJar } from './cookie-jar.js';

/**
 * Follows redirects, with cookies, within the host of the first address.
 * @param jar of the browser; left out for a new one
 * @returns the first address at another host
 */
export async function wayOut(url: string, jar = new CookieJar()): Promise<string> {
  const { host } = new URL(url);
  for (let next = new URL(url), hops = 0; hops < 10; hops += 1) {
    const response = await fetch(next, { redirect: 'manual', headers: { cookie: jar.header } });
    jar.keep(response);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${next.pathname} answers ${response.status} and no redirect.`);
    await response.body?.cancel();
    next = new URL(location, next);
    if (next.host !== host) return next.href;
  }
  throw new Error('The redirects do not end.');
}
