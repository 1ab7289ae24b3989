import { Body, Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  type AssertionAnswer,
  CeremonyOptionsResponse,
  requireAssertion,
  requireCode,
} from '../../authenticator/index.js';
import { Answers, Operation, Problems, Public } from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { clientOf } from '../../platform/web/index.js';
import { LOGIN_LIMIT, SessionsTag } from '../session.declarations.js';
import { TokenResponse } from '../tokens/token.dto.js';
import {
  PasskeyLoginDto,
  PasskeyOptionsDto,
  SecondFactorDto,
  SecondFactorTokenResponse,
} from './second-factor.dto.js';
import { PasskeySignInService } from './passkey-sign-in.service.js';
import { SignInChallenges } from './sign-in-challenges.js';
import { SecondFactorService } from './second-factor.service.js';

/** Sign-in by second factor and by passkey. */
@SessionsTag()
@Controller('api/v1/iam/auth')
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorService,
    private readonly passkeys: PasskeySignInService,
    private readonly challenges: SignInChallenges,
  ) {}

  @Post('second-factor')
  @Public('the challenge, which took the first factor, and the second factor are the proof')
  @StrictLimit(LOGIN_LIMIT)
  @Problems('invalid-second-factor')
  @Operation('Complete a login by the second factor', 'Five wrong answers void the challenge.')
  @Answers(SecondFactorTokenResponse)
  submitSecondFactor(@Body() body: SecondFactorDto, @Req() request: Request) {
    const { challenge, method, rememberDevice = false } = body;
    const answer =
      method === 'passkey'
        ? { method, ...requireAssertion(body) }
        : { method, code: requireCode(body, method) };
    return this.secondFactors.complete(challenge, answer, rememberDevice, clientOf(request));
  }

  @Post('passkeys/options')
  @Public('writes nothing; the passkey is the proof')
  @Operation('Get options to sign in by passkey', 'With `challenge`, for the second factor of that login.')
  @Answers(CeremonyOptionsResponse)
  async createPasskeyOptions(@Body() { challenge }: PasskeyOptionsDto) {
    return challenge === undefined ? this.passkeys.createOptions() : this.challenges.createOptions(challenge);
  }

  @Post('passkeys/login')
  @Public('the passkey is the proof')
  @StrictLimit(LOGIN_LIMIT)
  @Problems('invalid-credentials')
  @Operation(
    'Sign in by passkey',
    'Asks for no password and no second factor: the session has the `acr` `phr`.',
  )
  @Answers(TokenResponse)
  signInWithPasskey(@Body() body: PasskeyLoginDto, @Req() request: Request) {
    return this.passkeys.signIn(body as AssertionAnswer, clientOf(request));
  }
}
