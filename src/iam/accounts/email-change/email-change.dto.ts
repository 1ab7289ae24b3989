import { objectField, Output } from '../../../platform/api/index.js';
import type { PendingChange } from './email-change.repository.js';

class PendingChangeResponse {
  @Output.email({ description: 'The new address.', example: 'ada@new.example' })
  email: string;
  @Output.time({ description: 'End of the time in which it can be confirmed.' })
  expiresAt: string;
}

/** What a person sees of the change of their address. */
export class EmailChangeResponse {
  @Output(objectField(() => PendingChangeResponse), {
    nullable: true,
    description: 'The change that waits for its confirmation; null without one.',
  })
  pending: PendingChangeResponse | null;
  @Output.boolean({
    description: 'Whether a directory of the organization manages the address: the person cannot change it.',
    example: false,
  })
  managedByDirectory: boolean;

  static from(pending: PendingChange | null, managedByDirectory: boolean): EmailChangeResponse {
    return {
      pending: pending && { email: pending.email, expiresAt: pending.expiresAt.toISOString() },
      managedByDirectory,
    };
  }
}
