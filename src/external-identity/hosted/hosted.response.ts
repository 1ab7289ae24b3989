import { integerField, Output, textField } from '../../platform/api/index.js';

export class HostedSignInResponse {
  @Output(
    textField({
      max: 261,
      example: 'app.example.com',
      description: 'Host of the app, with its port if it has one. Show it to the user.',
    }),
  )
  host: string;
}

export class HostedCodeResponse {
  @Output(
    textField({
      max: 2_200,
      format: 'uri',
      example:
        'https://app.example.com/signed-in#code=Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E&state=mWq3hXo0',
      description: 'Address to which to send the browser, with `code` and `state` in the fragment.',
    }),
  )
  location: string;

  @Output(integerField({ min: 1, max: 600, example: 60 }))
  expiresInSeconds: number;
}
