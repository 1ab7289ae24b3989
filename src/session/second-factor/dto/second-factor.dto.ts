import { ASSERTION, CEREMONY, CHALLENGE, CODE } from '../../../authenticator/index.js';
import { booleanField, Input, wordField } from '../../../platform/api/index.js';

export class SecondFactorDto {
  @Input(CHALLENGE)
  challenge: string;
  @Input(wordField(['totp', 'passkey', 'recovery_code'], { description: 'One of the listed `methods`.' }))
  method: 'totp' | 'passkey' | 'recovery_code';
  @Input(CODE, { optional: true, description: 'Of `totp` and `recovery_code`, as the person typed it.' })
  code?: string;
  @Input(CEREMONY, { optional: true, description: 'Of `passkey`.' })
  ceremony?: string;
  @Input(ASSERTION, { optional: true })
  credential?: object;
  @Input(booleanField({ description: 'Whether to ask this device for no second factor for a while.' }), {
    optional: true,
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
