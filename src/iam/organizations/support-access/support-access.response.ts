import type { SignInPolicy } from '../../../kernel/index.js';
import { Output, timeField } from '../../../platform/api/index.js';
import { SUPPORT } from './support-access.fields.js';
import type { SupportAccess } from './support-access.repository.js';

export class SupportAccessResponse {
  @Output(SUPPORT)
  supportAccess: SignInPolicy['supportAccess'];
  @Output(timeField({ description: 'Time until which an owner has let support in. null: not now.' }), {
    nullable: true,
  })
  until: string | null;

  static from({ supportAccess, until }: SupportAccess): SupportAccessResponse {
    return { supportAccess, until: until?.toISOString() ?? null };
  }
}
