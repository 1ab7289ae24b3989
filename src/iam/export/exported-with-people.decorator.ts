import { Reflector } from '@nestjs/core';
import type { UserId } from '../../kernel/index.js';

/**
 * Reads what a module keeps about these people, for an operator who moves to another system.
 * @returns a value by person; people without one are left out
 */
export type ReadOfPeople = (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, unknown>>;

/** Marks a {@link ReadOfPeople} method; the value is the field of the person's line. */
export const ExportedWithPeople = Reflector.createDecorator<string>();
