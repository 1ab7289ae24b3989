import { ASSERTION, CEREMONY, CeremonyOptionsResponse, CODE } from '../../authenticator/index.js';
import { Input, Output, PartialType, passwordField } from '../../platform/api/index.js';

/** Methods by which the person can confirm who they are, and the options of a passkey. */
export class StepUpOptionsResponse extends PartialType(CeremonyOptionsResponse) {
  @Output.list({
    max: 10,
    itemMax: 50,
    pattern: /^[a-z_]+$/,
    description:
      'Of `password`, `totp`, `passkey`, `recovery_code` and `email_code`, which only people without another method have. With `passkey`, its options are in the response. Methods may be added.',
    example: ['password'],
  })
  methods: string[];
}

const METHODS = ['password', 'totp', 'passkey', 'recovery_code', 'email_code'] as const;

export class StepUpDto {
  @Input.word(METHODS, { description: 'A method that `step-up/options` lists.' })
  method: (typeof METHODS)[number];

  @Input(passwordField('compare'), { optional: true, description: 'Of `password`.' })
  password?: string;

  @Input(CODE, {
    optional: true,
    description: 'Of `totp`, `recovery_code` and `email_code`, as the person typed it.',
  })
  code?: string;

  @Input(CEREMONY, { optional: true, description: 'Of `passkey`.' })
  ceremony?: string;

  @Input(ASSERTION, { optional: true })
  credential?: object;
}

export class StepUpOptionsDto {
  @Input.word(['email_code'], {
    optional: true,
    description:
      'Mails a code of six digits, valid for ten minutes, if `email_code` is a method of the person.',
  })
  method?: 'email_code';
}
