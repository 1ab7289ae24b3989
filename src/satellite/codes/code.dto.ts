import { TextField } from '../../platform/http/index.js';

const ClientIdField = () =>
  TextField({ max: 64, example: 'help-centre', description: 'As the satellite is registered.' });

export class IssueCodeDto {
  @ClientIdField()
  clientId: string;

  @TextField({
    max: 500,
    example: 'https://help.example.com/callback',
    description: 'One of those registered, character for character.',
  })
  redirectUri: string;

  @TextField({
    min: 43,
    max: 43,
    pattern: /^[A-Za-z0-9_-]{43}$/,
    shape: 'the base64url form of the SHA-256 of the verifier',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  })
  codeChallenge: string;
}

export class ExchangeCodeDto {
  @TextField({ max: 512, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' })
  code: string;

  @ClientIdField()
  clientId: string;

  @TextField({
    max: 512,
    password: true,
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  clientSecret: string;

  @TextField({
    min: 43,
    max: 128,
    pattern: /^[A-Za-z0-9._~-]{43,128}$/,
    shape: 'letters, digits and any of - . _ ~ (RFC 7636 section 4.1)',
    example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  })
  codeVerifier: string;
}
