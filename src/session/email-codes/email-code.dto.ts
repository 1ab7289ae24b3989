import { CODE, DEVICE_TOKEN } from '../../authenticator/index.js';
import { emailField, Input } from '../../platform/api/index.js';

export class RequestEmailCodeDto {
  @Input(emailField())
  email: string;
}

export class EmailCodeLoginDto {
  @Input(emailField())
  email: string;

  @Input(CODE)
  code: string;

  @Input(DEVICE_TOKEN, { optional: true, description: 'Of a trusted device, in place of a second factor.' })
  deviceToken?: string;
}
