import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { isLoopback, type Settings, SETTINGS } from '../platform/config/index.js';
import { cookieOf } from '../platform/web/index.js';

/**
 * Stores the sign-in of a browser in two cookies: the refresh token, which scripts cannot read, and
 * the session id, by which the portal knows that it is signed in. With https, the prefix `__Host-`
 * binds both to this host, so that a neighbouring host cannot set them. Without, in local
 * development, the ports of a host share its cookies, so the names contain the port.
 */
@Injectable()
export class SessionCookies implements OnModuleInit {
  private readonly logger = new Logger('Portal');
  /** Name of the cookie that the portal reads. */
  readonly sessionName: string;
  private readonly refreshName: string;
  private readonly options: CookieOptions;

  private readonly isUnencrypted: boolean;

  constructor(@Inject(SETTINGS) { PUBLIC_URL }: Settings) {
    const { protocol, port, hostname } = new URL(PUBLIC_URL);
    const secure = protocol === 'https:';
    this.isUnencrypted = !secure && !isLoopback(hostname);
    const nameOf = (what: string) =>
      secure ? `__Host-gatehouse-${what}` : `gatehouse-${what}-${port || '80'}`;
    this.sessionName = nameOf('session');
    this.refreshName = nameOf('refresh');
    this.options = { sameSite: 'strict', path: '/', secure, encode: String };
  }

  onModuleInit(): void {
    if (this.isUnencrypted)
      this.logger.warn(
        'PUBLIC_URL is plain http: the cookies that keep people signed in at the portal are sent unencrypted.',
      );
  }

  /** Reads the refresh token of the browser; empty if it has none. */
  read(request: Request): string {
    return cookieOf(request, this.refreshName) ?? '';
  }

  /**
   * Sets both cookies.
   * @param seconds lifetime of the cookies
   */
  write(response: Response, refreshToken: string, sessionId: string, seconds: number): void {
    const options = { ...this.options, maxAge: seconds * 1_000 };
    response.cookie(this.refreshName, refreshToken, { ...options, httpOnly: true });
    response.cookie(this.sessionName, sessionId, options);
  }

  /** Removes both cookies. */
  clear(response: Response): void {
    this.write(response, '', '', 0);
  }
}
