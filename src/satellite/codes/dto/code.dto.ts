import { CodeChallengeField, CodeVerifierField, TextField } from '../../../platform/api/index.js';

const ClientIdField = () =>
  TextField({ max: 64, example: 'help-centre', description: 'Client id of the registered satellite.' });

export class IssueCodeDto {
  @ClientIdField()
  clientId: string;

  @TextField({
    max: 500,
    example: 'https://help.example.com/callback',
    description: 'A registered redirect URI, character by character.',
  })
  redirectUri: string;

  @CodeChallengeField()
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

  @CodeVerifierField()
  codeVerifier: string;
}
