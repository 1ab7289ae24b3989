import { CodeChallengeField, CodeVerifierField, TextField } from '../platform/http/index.js';

const returnUri = () =>
  TextField({
    max: 500,
    optional: true,
    nullable: true,
    example: 'https://app.example.com/signed-in',
    description:
      "Where the browser ends, with the outcome in the fragment. The app's own address, if left out.",
  });

export class StartDto {
  @returnUri()
  returnUri?: string | null;

  @CodeChallengeField({
    optional: true,
    description: 'With it, the fragment carries a code in place of tokens.',
  })
  codeChallenge?: string;
}

export class LinkDto {
  @returnUri()
  returnUri?: string | null;
}

export class RedeemDto {
  @TextField({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' })
  code: string;

  @CodeVerifierField()
  codeVerifier: string;
}
