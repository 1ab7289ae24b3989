import { codeChallengeField, codeVerifierField, Input, Output, textField } from '../../platform/api/index.js';
import { CLIENT_ID, CLIENT_LOGO_URL, SATELLITE_NAME } from '../../client/index.js';
import type { Acr } from '../../kernel/index.js';
import { NEEDED_ACR, NEEDED_MAX_AGE } from '../../session/index.js';

export class SatelliteRequestResponse {
  @Output(CLIENT_ID)
  clientId: string;
  @Output(SATELLITE_NAME)
  name: string;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output.text({
    max: 500,
    format: 'uri',
    description: 'As registered: the address to which the visitor may be sent, also with an error.',
    example: 'https://help.example.com/callback',
  })
  redirectUri: string;
}

export class IssuedCodeResponse {
  @Output.text({
    max: 512,
    pattern: '^[\\w-]+$',
    description: 'Single-use, valid for one minute.',
    example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
  })
  code: string;
  @Output.text({
    max: 500,
    format: 'uri',
    description: 'Address to which the app sends the visitor, with the code in the query.',
    example: 'https://help.example.com/callback',
  })
  redirectUri: string;
  @Output.integer({
    min: 1,
    max: 600,
    example: 60,
    description: 'Seconds within which the code can be exchanged, once.',
  })
  expiresInSeconds: number;
}

const SATELLITE_ID = textField({
  max: 64,
  example: 'help-centre',
  description: 'Client id of the registered satellite.',
});

/** Query with which a satellite sends its visitor, without challenge and state. */
export class SatelliteRequestDto {
  @Input(SATELLITE_ID)
  clientId: string;

  @Input.text({
    max: 500,
    example: 'https://help.example.com/callback',
    description: 'A registered redirect URI, character by character.',
  })
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
  @Input.text({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' })
  code: string;

  @Input(SATELLITE_ID)
  clientId: string;

  @Input.text({
    max: 512,
    password: true,
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  clientSecret: string;

  @Input(codeVerifierField())
  codeVerifier: string;
}
