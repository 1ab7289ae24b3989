import { integerField, Output, textField } from '../../platform/api/index.js';

export class IssuedCodeResponse {
  @Output(
    textField({
      max: 512,
      pattern: '^[\\w-]+$',
      description: 'Single-use, valid for one minute.',
      example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
    }),
  )
  code: string;
  @Output(
    textField({
      max: 500,
      format: 'uri',
      description: 'Address to which the app sends the visitor, with the code in the query.',
      example: 'https://help.example.com/callback',
    }),
  )
  redirectUri: string;
  @Output(integerField({ min: 1, max: 600, example: 60 }))
  expiresInSeconds: number;
}
