import { Output, textField } from '../../platform/api/index.js';

export class LogoutResponse {
  @Output(
    textField({
      max: 8_192,
      format: 'uri',
      description: 'Address to send the browser to. It ends at the sign-in page of the app.',
      example: 'https://idp.example.com/saml/slo?SAMLRequest=fZJ',
    }),
  )
  logoutUrl: string;
}
