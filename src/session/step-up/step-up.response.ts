import { CeremonyOptionsResponse } from '../../authenticator/index.js';
import { listField, Output, PartialType } from '../../platform/api/index.js';

/** Methods by which the person can confirm who they are, and the options of a passkey. */
export class StepUpOptionsResponse extends PartialType(CeremonyOptionsResponse) {
  @Output(
    listField({
      max: 10,
      itemMax: 50,
      pattern: /^[a-z_]+$/,
      description:
        'Of `password`, `totp`, `passkey`, `recovery_code` and `email_code`, which only people without another method have. With `passkey`, its options are in the response. Methods may be added.',
      example: ['password'],
    }),
  )
  methods: string[];
}
