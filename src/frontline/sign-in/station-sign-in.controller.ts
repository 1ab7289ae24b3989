import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Answers, ApiCreatedResponse, Operation, Problems, Public } from '../../platform/api/index.js';
import { requirePublic } from '../../machine/index.js';
import { AppError } from '../../platform/errors/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { clientOf, headerValuesOf } from '../../platform/web/index.js';
import { TokenResponse } from '../../session/index.js';
import { StationsTag } from '../frontline-tags.js';
import { STATION_LIMIT } from '../frontline.limits.js';
import {
  NonceResponse,
  RegisteredStationResponse,
  RegisterStationDto,
  StationSignInDto,
} from '../stations/station.dto.js';
import { NONCE_SECONDS, StationNonces } from '../stations/station-nonces.js';
import { StationProofs } from '../stations/station-proofs.js';
import { StationRegistration } from '../stations/station-registration.js';
import { StationSignInService } from './station-sign-in.service.js';

/** What the devices of stations call. */
@StationsTag()
@Controller('api/v1/iam/auth/stations')
export class StationSignInController {
  constructor(
    private readonly registrations: StationRegistration,
    private readonly nonces: StationNonces,
    private readonly proofs: StationProofs,
    private readonly signIns: StationSignInService,
  ) {}

  @Post('register')
  @Public('the code is the proof')
  @StrictLimit(STATION_LIMIT)
  @Operation(
    'Register the device of a station',
    'The code counts once. The private key stays on the device, which signs a proof of each sign-in and refresh.',
  )
  @ApiCreatedResponse({ type: RegisteredStationResponse })
  async registerStation(
    @Body() body: RegisterStationDto,
    @Req() request: Request,
  ): Promise<RegisteredStationResponse> {
    requirePublic((request.body as { readonly jwk?: object }).jwk);
    return RegisteredStationResponse.from(await this.registrations.register(body));
  }

  @Post(':stationId/nonce')
  @Public('a nonce proves nothing')
  @StrictLimit(STATION_LIMIT)
  @Operation('Get a nonce for a proof of a station')
  @Answers(NonceResponse)
  createStationNonce(@Param('stationId') stationId: string) {
    return { nonce: this.nonces.create(stationId), expiresInSeconds: NONCE_SECONDS };
  }

  @Post(':stationId/sign-in')
  @Public('number or badge, PIN and the key of the station are the proof')
  @StrictLimit(STATION_LIMIT)
  @Problems('invalid-credentials', 'unauthenticated', 'forbidden', 'insufficient-user-authentication')
  @Operation(
    'Sign in at a station',
    'With the header `Station-Proof`, a JWT of the form of RFC 9449 (`typ: station-proof+jwt`, `kid`, `htm`, `htu`, `iat`, `jti`, `nonce`). Ends the session of the person before. The response does not distinguish an unknown number from a wrong PIN, a locked one, or a person who is suspended.',
  )
  @Answers(TokenResponse)
  async signInAtStation(
    @Param('stationId') stationId: string,
    @Body() body: StationSignInDto,
    @Req() request: Request,
  ) {
    if ((body.badge === undefined) === (body.number === undefined))
      throw AppError.violation('number', 'must be given, or badge instead');
    const client = clientOf(request);
    const { method, path } = request;
    const proofs = headerValuesOf(request, 'station-proof');
    const proven = { method, path, proofs, ipAddress: client.ipAddress };
    return this.signIns.signIn(await this.proofs.require(proven, stationId), body, client);
  }
}
