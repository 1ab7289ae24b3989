import { Body, Controller, Delete, Header, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../platform/config/index.js';
import { AppError } from '../platform/errors/index.js';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  Problems,
  Public,
  Tag,
} from '../platform/api/index.js';
import type { TenantId } from '../kernel/index.js';
import { StrictLimit } from '../platform/rate-limit/index.js';
import { RefreshService, TenantTokenResponse } from '../session/index.js';
import { PortalSessionDto } from './dto/portal-session.dto.js';
import { FormerSession } from './former-session.js';
import { SessionCookies } from './session-cookies.js';

const SetCookie = (example: string) => ({
  'Set-Cookie': {
    description: 'The refresh token, out of reach of scripts; and in a second cookie the id of the session.',
    required: true,
    schema: { type: 'string', pattern: 'HttpOnly', maxLength: 1_024 },
    example,
  },
});

/** What keeps a browser signed in at the portal: the refresh token, in a cookie that no script can read (ADR 17). */
@Tag(
  'Portal',
  'What the pages of the service itself use beside the rest: cookies, for their own origin alone.',
)
@Controller('api/v1/iam/auth/portal/session')
export class PortalSessionController {
  private readonly origin: string;

  constructor(
    private readonly refreshes: RefreshService,
    private readonly cookies: SessionCookies,
    private readonly former: FormerSession,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.origin = new URL(settings.PUBLIC_URL).origin;
  }

  @Post()
  @Public('the refresh token is the proof')
  @StrictLimit('refresh')
  @Problems('invalid-refresh-token', 'invalid-client', 'not-a-member', 'forbidden')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    summary: 'Refresh by cookie',
    description:
      'As refresh does, but the refresh token comes in a cookie and goes back in one. With `refreshToken`, a sign-in becomes the one of this browser, and the session that it was in before ends. For pages of this origin alone.',
  })
  @ApiOkResponse({
    type: TenantTokenResponse,
    headers: SetCookie(
      '__Host-gatehouse-refresh=ghr_01K3.2.mWq3; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Strict',
    ),
  })
  async refresh(
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
    if (refreshToken !== undefined) await this.former.end(stored, tokens.sessionId);
    return tokens;
  }

  @Delete()
  @Public('takes nothing but cookies away')
  @Problems('forbidden')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Forget the cookies',
    description: 'Ends no session: that is what the logouts are for. For pages of this origin alone.',
  })
  @ApiNoContentResponse({
    headers: SetCookie('__Host-gatehouse-refresh=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict'),
  })
  forget(@Req() request: Request, @Res({ passthrough: true }) response: Response): void {
    this.requireOwnPage(request);
    this.cookies.clear(response);
  }

  /** What a browser says of where a request comes from, which no page can change: a page of another site could sign its visitor in as somebody else. */
  private requireOwnPage({ headers }: Request): void {
    const site = headers['sec-fetch-site'];
    if (site === undefined ? headers.origin === this.origin : site === 'same-origin') return;
    throw new AppError('forbidden', { detail: 'This is for the pages of this service alone.' });
  }
}
