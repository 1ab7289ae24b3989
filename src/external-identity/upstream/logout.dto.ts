import { Input, Output } from '../../platform/api/index.js';

export class LogoutResponse {
  @Output.text({
    max: 8_192,
    format: 'uri',
    description: 'Address to send the browser to. It ends at the sign-in page of the app.',
    example: 'https://idp.example.com/saml/slo?SAMLRequest=fZJ',
  })
  logoutUrl: string;
}

export class LogoutDto {
  @Input.boolean({
    optional: true,
    description: 'Whether to return the address at which the provider of a connection ends its own session.',
    example: true,
  })
  upstream?: boolean;
}
