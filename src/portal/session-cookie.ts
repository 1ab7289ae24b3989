import type { CookieOptions, Request, Response } from 'express';
import type { Settings } from '../platform/config/index.js';

/**
 * The refresh token of a browser, where no script can read it. With https it is bound to this host alone by its prefix, so that no neighbour
 * can plant one; without, on a developer's machine, hosts share cookies among their ports, so the port is in the name.
 */
export class SessionCookie {
  private readonly name: string;
  private readonly options: CookieOptions;

  constructor({ PUBLIC_URL }: Pick<Settings, 'PUBLIC_URL'>) {
    const { protocol, port } = new URL(PUBLIC_URL);
    const secure = protocol === 'https:';
    this.name = secure ? '__Host-gatehouse' : `gatehouse-${port || '80'}`;
    this.options = { httpOnly: true, sameSite: 'strict', path: '/', secure };
  }

  read({ headers }: Request): string | undefined {
    const pairs = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
    return pairs.find(([name]) => name === this.name)?.[1];
  }

  write(response: Response, refreshToken: string, seconds: number): void {
    response.cookie(this.name, refreshToken, {
      ...this.options,
      maxAge: seconds * 1_000,
      encode: String,
    });
  }

  clear(response: Response): void {
    response.cookie(this.name, '', { ...this.options, maxAge: 0 });
  }
}
