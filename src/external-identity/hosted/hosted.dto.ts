import { codeChallengeField, Input, Output } from '../../platform/api/index.js';
import type { Acr } from '../../kernel/index.js';
import { NEEDED_ACR, NEEDED_MAX_AGE } from '../../session/index.js';

export class HostedSignInResponse {
  @Output.text({
    max: 261,
    example: 'app.example.com',
    description: 'Host of the app, with its port if it has one. Show it to the user.',
  })
  host: string;
}

export class HostedCodeResponse {
  @Output.text({
    max: 2_200,
    format: 'uri',
    example:
      'https://app.example.com/signed-in#code=Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E&state=mWq3hXo0',
    description: 'Address to which to send the browser, with `code` and `state` in the fragment.',
  })
  location: string;

  @Output.integer({
    min: 1,
    max: 600,
    example: 60,
    description: 'Seconds within which the code can be exchanged, once.',
  })
  expiresInSeconds: number;
}

const MAX_STATE_LENGTH = 512;

/** Request of an app, as the sign-in page received it in its query. */
export class HostedSignInDto {
  @Input.text({
    max: 500,
    example: 'https://app.example.com/signed-in',
    description: "The app's page that receives the code: one of `RETURN_URIS`.",
  })
  returnTo: string;

  @Input(codeChallengeField({ description: 'Of the verifier that the app keeps (S256).' }))
  codeChallenge: string;

  @Input.text({
    optional: true,
    max: MAX_STATE_LENGTH,
    example: 'mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    description: 'Returned to the app unchanged.',
  })
  state?: string;
}

/** The request, with the sign-in that the app asks for. */
export class HostedCodeDto extends HostedSignInDto {
  @Input(NEEDED_ACR, { optional: true })
  acr?: Acr;

  @Input(NEEDED_MAX_AGE, { optional: true })
  maxAge?: number;
}
