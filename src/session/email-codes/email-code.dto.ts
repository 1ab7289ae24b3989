import { CODE, DEVICE_TOKEN } from '../../authenticator/index.js';
import { Input } from '../../platform/api/index.js';

export class RequestEmailCodeDto {
  @Input.email()
  email: string;
}

export class EmailCodeLoginDto {
  @Input.email()
  email: string;

  @Input(CODE)
  code: string;

  @Input(DEVICE_TOKEN, { optional: true, description: 'Of a trusted device, in place of a second factor.' })
  deviceToken?: string;
}
