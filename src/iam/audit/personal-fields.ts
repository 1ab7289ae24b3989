import { Reflector } from '@nestjs/core';
import type { CustomDecorator } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';

/**
 * Reads personal data for an event of a tenant.
 * @param id value of the field that the type of the event names
 * @returns null if there is none, or none that the organization may see
 */
export type PersonalReader = (tenantId: TenantId, id: string) => Promise<object | null>;

export const PersonalFieldsMark = Reflector.createDecorator<string>();

/**
 * Marks a {@link PersonalReader} for the types of events whose `personal` names this source. It is
 * called at delivery, so that what was erased since the event is gone.
 */
export function PersonalFields(source: string): CustomDecorator {
  return PersonalFieldsMark(source);
}
