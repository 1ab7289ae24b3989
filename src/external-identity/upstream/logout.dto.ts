import { booleanField, Input } from '../../platform/api/index.js';

export class LogoutDto {
  @Input(
    booleanField({
      description:
        'Whether to return the address at which the provider of a connection ends its own session.',
      example: true,
    }),
    { optional: true },
  )
  upstream?: boolean;
}
