import type { Acr } from '../../../kernel/index.js';
import { NEEDED_ACR, NEEDED_MAX_AGE } from '../../../session/index.js';
import { codeChallengeField, codeVerifierField, Input, textField } from '../../../platform/api/index.js';

const CLIENT_ID = textField({
  max: 64,
  example: 'help-centre',
  description: 'Client id of the registered satellite.',
});

/** Query with which a satellite sends its visitor, without challenge and state. */
export class SatelliteRequestDto {
  @Input(CLIENT_ID)
  clientId: string;

  @Input(
    textField({
      max: 500,
      example: 'https://help.example.com/callback',
      description: 'A registered redirect URI, character by character.',
    }),
  )
  redirectUri: string;
}

export class IssueCodeDto extends SatelliteRequestDto {
  @Input(codeChallengeField())
  codeChallenge: string;

  @Input(NEEDED_ACR, { optional: true })
  acr?: Acr;

  @Input(NEEDED_MAX_AGE, { optional: true })
  maxAge?: number;
}

export class ExchangeCodeDto {
  @Input(textField({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' }))
  code: string;

  @Input(CLIENT_ID)
  clientId: string;

  @Input(
    textField({
      max: 512,
      password: true,
      example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    }),
  )
  clientSecret: string;

  @Input(codeVerifierField())
  codeVerifier: string;
}
