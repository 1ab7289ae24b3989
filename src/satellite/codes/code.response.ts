import { integerField, Output, textField } from '../../platform/api/index.js';
import { CLIENT_ID, CLIENT_LOGO_URL, SATELLITE_NAME } from '../../client/index.js';

export class SatelliteRequestResponse {
  @Output(CLIENT_ID)
  clientId: string;
  @Output(SATELLITE_NAME)
  name: string;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output(
    textField({
      max: 500,
      format: 'uri',
      description: 'As registered: the address to which the visitor may be sent, also with an error.',
      example: 'https://help.example.com/callback',
    }),
  )
  redirectUri: string;
}

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
