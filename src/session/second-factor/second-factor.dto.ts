import { ASSERTION, CEREMONY, CHALLENGE, CODE, DEVICE_TOKEN } from '../../authenticator/index.js';
import { Input, Output } from '../../platform/api/index.js';
import { LoginResponse } from '../tokens/token.dto.js';

/** Response to a second factor. */
export class SecondFactorTokenResponse extends LoginResponse {
  @Output(DEVICE_TOKEN, {
    required: false,
    description: 'With `rememberDevice`: to be sent with later logins in place of the second factor.',
  })
  deviceToken?: string;
}

export class SecondFactorDto {
  @Input(CHALLENGE)
  challenge: string;
  @Input.word(['totp', 'passkey', 'recovery_code'], { description: 'One of the listed `methods`.' })
  method: 'totp' | 'passkey' | 'recovery_code';
  @Input(CODE, { optional: true, description: 'Of `totp` and `recovery_code`, as the person typed it.' })
  code?: string;
  @Input(CEREMONY, { optional: true, description: 'Of `passkey`.' })
  ceremony?: string;
  @Input(ASSERTION, { optional: true })
  credential?: object;
  @Input.boolean({
    optional: true,
    description: 'Whether to ask this device for no second factor for a while.',
  })
  rememberDevice?: boolean;
}

export class PasskeyOptionsDto {
  @Input(CHALLENGE, {
    optional: true,
    description: 'Of a sign-in that waits for its second factor. Omitted: any passkey of this browser.',
  })
  challenge?: string;
}

export class PasskeyLoginDto {
  @Input(CEREMONY)
  ceremony: string;
  @Input(ASSERTION)
  credential: object;
}
