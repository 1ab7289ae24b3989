import { type SignInPolicy, SUPPORT_ACCESS } from '../../../kernel/index.js';
import { Input, Output, wordField, toResponse } from '../../../platform/api/index.js';
import type { SupportAccess } from './support-access.repository.js';

export const SUPPORT = wordField(SUPPORT_ACCESS, {
  description:
    'Whether an operator may act as a member: `on_request`, after an owner has let support in by `support-access`; `always`, without that.',
  example: 'never',
});

export class SupportAccessResponse {
  @Output(SUPPORT)
  supportAccess: SignInPolicy['supportAccess'];
  @Output.time({
    nullable: true,
    description: 'Time until which an owner has let support in. null: not now.',
  })
  until: string | null;

  static from(access: SupportAccess): SupportAccessResponse {
    return toResponse(SupportAccessResponse, access);
  }
}

/** Longest time for which an owner can let support in: three days. */
const MAX_HOURS = 72;

export class GrantSupportAccessDto {
  @Input.integer({ min: 1, max: MAX_HOURS, description: 'Hours for which support may enter.', example: 4 })
  hours: number;
}
