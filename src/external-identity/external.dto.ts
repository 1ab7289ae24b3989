import { TextField } from '../platform/http/index.js';

const returnUri = () =>
  TextField({
    max: 500,
    optional: true,
    nullable: true,
    example: 'https://app.example.com/signed-in',
    description:
      "Where the browser ends, with the outcome in the fragment. The app's own address, if left out.",
  });
const codeChallenge = () =>
  TextField({
    min: 43,
    max: 43,
    optional: true,
    pattern: /^[A-Za-z0-9_-]{43}$/,
    shape: 'the base64url form of the SHA-256 of the verifier',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    description: 'With it, the fragment carries a code in place of tokens.',
  });

export class StartDto {
  @returnUri()
  returnUri?: string | null;

  @codeChallenge()
  codeChallenge?: string;
}

export class LinkDto {
  @returnUri()
  returnUri?: string | null;
}

export class RedeemDto {
  @TextField({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' })
  code: string;

  @TextField({
    min: 43,
    max: 128,
    pattern: /^[A-Za-z0-9._~-]{43,128}$/,
    shape: 'letters, digits and any of - . _ ~ (RFC 7636 section 4.1)',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  })
  codeVerifier: string;
}
