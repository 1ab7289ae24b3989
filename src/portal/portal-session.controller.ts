import { Body, Controller, Delete, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { AppError } from '../platform/errors/index.js';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  Operation,
  Problems,
  Public,
  Tag,
} from '../platform/api/index.js';
import type { TenantId } from '../kernel/index.js';
import { StrictLimit } from '../platform/rate-limit/index.js';
import { REFRESH_LIMIT, RefreshService, TenantTokenResponse } from '../session/index.js';
import { PortalSessionDto } from './portal-session.dto.js';
import { PreviousSession } from './previous-session.js';
import { SessionCookies } from './session-cookies.js';

const SetCookie = (example: string) => ({
  'Set-Cookie': {
    description:
      'The refresh token in a cookie that scripts cannot read; the id of the session in a second cookie.',
    required: true,
    schema: { type: 'string', pattern: 'HttpOnly', maxLength: 1_024 },
    example,
  },
});

/**
 * Keeps a browser signed in to the portal: holds the refresh token in a cookie that scripts cannot
 * read (ADR 17).
 */
@Tag(
  'Portal',
  'Used by the pages of the service beside the other operations: cookies, for its own origin only.',
)
@Controller('api/v1/iam/auth/portal/session')
export class PortalSessionController {
  private readonly origin: string;

  constructor(
    private readonly refreshes: RefreshService,
    private readonly cookies: SessionCookies,
    private readonly previous: PreviousSession,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.origin = new URL(settings.PUBLIC_URL).origin;
  }

  @Post()
  @Public('the refresh token is the proof')
  @StrictLimit(REFRESH_LIMIT)
  @Problems(
    'invalid-refresh-token',
    'invalid-client',
    'not-a-member',
    'insufficient-user-authentication',
    'forbidden',
  )
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Operation(
    'Refresh by cookie',
    'Like refresh, but reads and returns the refresh token in a cookie. With `refreshToken`, stores a new sign-in in this browser and ends the previous session of the browser. For pages of this origin only.',
  )
  @ApiOkResponse({
    type: TenantTokenResponse,
    headers: SetCookie(
      '__Host-gatehouse-refresh=ghr_01K3.2.mWq3; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Strict',
    ),
  })
  async refreshPortalSession(
    @Body() { refreshToken, tenantId }: PortalSessionDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TenantTokenResponse> {
    this.requireOwnPage(request);
    const stored = this.cookies.read(request);
    const { refreshToken: successor, ...tokens } = await this.refreshes.refresh(
      refreshToken ?? stored,
      tenantId as TenantId | undefined,
    );
    this.cookies.write(response, successor, tokens.sessionId, tokens.refreshExpiresIn);
    if (refreshToken !== undefined) await this.previous.end(stored, tokens.sessionId);
    return tokens;
  }

  @Delete()
  @Public('only removes cookies')
  @Problems('forbidden')
  @HttpCode(204)
  @Operation('Remove the cookies', 'Does not end the session: use a logout. For pages of this origin only.')
  @ApiNoContentResponse({
    headers: SetCookie('__Host-gatehouse-refresh=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict'),
  })
  deletePortalSession(@Req() request: Request, @Res({ passthrough: true }) response: Response): void {
    this.requireOwnPage(request);
    this.cookies.clear(response);
  }

  /**
   * Requires a request of this origin's pages, by headers that pages cannot change: a page of
   * another site could otherwise sign its visitor in to another account (login CSRF).
   * @throws {AppError} forbidden
   */
  private requireOwnPage({ headers }: Request): void {
    const site = headers['sec-fetch-site'];
    if (site === undefined ? headers.origin === this.origin : site === 'same-origin') return;
    throw new AppError('forbidden', { detail: 'Only pages of this service can use this operation.' });
  }
}
