import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { isLoopback, type Settings, SETTINGS } from '../platform/config/index.js';

/**
 * The sign-in of a browser: its refresh token, which no script can read, and beside it the id of the session, by which the portal knows that
 * there is one. With https, both are bound to this host alone by their prefix, so that no neighbour can plant them; without, on a developer's
 * machine, the ports of a host share its cookies, so the port is in the names.
 */
@Injectable()
export class SessionCookies implements OnModuleInit {
  private readonly logger = new Logger('Portal');
  /** Of the cookie that the portal reads. */
  readonly sessionName: string;
  private readonly refreshName: string;
  private readonly options: CookieOptions;

  private readonly travelsInTheClear: boolean;

  constructor(@Inject(SETTINGS) { PUBLIC_URL }: Settings) {
    const { protocol, port, hostname } = new URL(PUBLIC_URL);
    const secure = protocol === 'https:';
    this.travelsInTheClear = !secure && !isLoopback(hostname);
    const nameOf = (what: string) =>
      secure ? `__Host-gatehouse-${what}` : `gatehouse-${what}-${port || '80'}`;
    this.sessionName = nameOf('session');
    this.refreshName = nameOf('refresh');
    this.options = { sameSite: 'strict', path: '/', secure, encode: String };
  }

  onModuleInit(): void {
    if (this.travelsInTheClear)
      this.logger.warn(
        'PUBLIC_URL is plain http: the cookies that keep people signed in at the portal travel in the clear.',
      );
  }

  /** The refresh token of the browser; empty where it has none. */
  read({ headers }: Request): string {
    const pairs = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
    return pairs.find(([name]) => name === this.refreshName)?.[1] ?? '';
  }

  write(response: Response, refreshToken: string, sessionId: string, seconds: number): void {
    const options = { ...this.options, maxAge: seconds * 1_000 };
    response.cookie(this.refreshName, refreshToken, { ...options, httpOnly: true });
    response.cookie(this.sessionName, sessionId, options);
  }

  clear(response: Response): void {
    this.write(response, '', '', 0);
  }
}
