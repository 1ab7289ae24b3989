import { Body, Controller, HttpCode, type OnModuleInit, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Answers, Bearer, Operation, Problems, Public } from '../../platform/api/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { Caller, clientOf, headerValuesOf } from '../../platform/web/index.js';
import type { PersonPrincipal, TenantId } from '../../kernel/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { LoginDto, RefreshDto, SelectTenantDto } from './session.dto.js';
import { LoginService } from './login.service.js';
import { LOGIN_LIMIT, REFRESH_LIMIT, SessionsTag } from '../session.declarations.js';
import { LogoutService } from './logout.service.js';
import { type ProvenStation, type ProveStation, ProvesStations } from '../grants/proven-station.js';
import { RefreshService } from '../grants/refresh.service.js';
import { TenantSelectionService } from '../grants/tenant-selection.service.js';
import { LoginResponse, TenantTokenResponse, TokenResponse } from '../tokens/token.dto.js';

/** Login, refresh, tenant selection and the logouts of other sessions. */
@SessionsTag()
@Controller('api/v1/iam/auth')
export class SessionController implements OnModuleInit {
  private proveStation: ProveStation | undefined;

  constructor(
    private readonly logins: LoginService,
    private readonly logouts: LogoutService,
    private readonly refreshes: RefreshService,
    private readonly selection: TenantSelectionService,
    private readonly methods: MarkedMethods,
  ) {}

  onModuleInit(): void {
    this.proveStation = this.methods.find<true, ProveStation>(ProvesStations)[0]?.method;
  }

  @Post('login')
  @Public('address and password are the proof')
  @StrictLimit(LOGIN_LIMIT)
  @Problems('invalid-credentials', 'email-not-verified', 'second-factor-required')
  @Operation(
    'Log in',
    'Starts a session. The response does not distinguish an unknown address from a wrong password. Repeated failures delay further attempts. An account with a second factor gets 403 `second-factor-required` with a challenge, and no session yet.',
  )
  @Answers(LoginResponse)
  login(@Body() body: LoginDto, @Req() request: Request) {
    return this.logins.login(body, clientOf(request));
  }

  @Post('refresh')
  @Public("the refresh token is the proof, for a satellite's grant its client secret as well")
  @StrictLimit(REFRESH_LIMIT)
  @Problems('invalid-refresh-token', 'invalid-client', 'not-a-member', 'insufficient-user-authentication')
  @Operation(
    'Refresh the access token',
    'Idempotent within the retry window: the same refresh token returns the same successor. Stays in the selected tenant while the membership lasts and the tenant accepts the sign-in. A satellite sends its `clientId` and `clientSecret` as well, a shared station a proof of its key in `Station-Proof`.',
  )
  @Answers(TokenResponse)
  async refreshToken(@Body() body: RefreshDto, @Req() request: Request) {
    const { refreshToken, tenantId } = body;
    const station = await this.findStation(request, refreshToken);
    return this.refreshes.refresh(refreshToken, tenantId as TenantId | undefined, body, station);
  }

  @Post('select-tenant')
  @Bearer('app and satellites')
  @Problems('not-a-member', 'insufficient-user-authentication')
  @Operation(
    'Select an organization',
    'Returns an access token for the tenant. Later refreshes keep the tenant. A satellite keeps the tenant that its grant was issued for.',
  )
  @Answers(TenantTokenResponse)
  selectTenant(@Caller() caller: PersonPrincipal, @Body() body: SelectTenantDto) {
    return this.selection.selectTenant(caller, body.tenantId as TenantId);
  }

  @Post('logout-all')
  @Bearer('app', { ownProof: 'if-available' })
  @HttpCode(204)
  @Operation('Log out from all devices')
  async logoutAll(@Caller() caller: PersonPrincipal): Promise<void> {
    await this.logouts.logoutAll(caller);
  }

  @Post('logout-others')
  @Bearer('app', { ownProof: 'if-available' })
  @HttpCode(204)
  @Operation('Log out from other devices')
  async logoutOthers(@Caller() caller: PersonPrincipal): Promise<void> {
    await this.logouts.logoutOthers(caller);
  }

  /** @returns the station whose key the request proves; undefined for a request without a proof */
  private async findStation(request: Request, refreshToken: string): Promise<ProvenStation | undefined> {
    const proofs = headerValuesOf(request, 'station-proof');
    if (proofs.length === 0) return undefined;
    const { method, path } = request;
    return this.proveStation?.({
      method,
      path,
      proofs,
      refreshToken,
      ipAddress: clientOf(request).ipAddress,
    });
  }
}
