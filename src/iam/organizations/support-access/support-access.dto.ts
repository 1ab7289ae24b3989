import { Input, integerField } from '../../../platform/api/index.js';

/** Longest time for which an owner can let support in: three days. */
const MAX_HOURS = 72;

export class GrantSupportAccessDto {
  @Input(
    integerField({ min: 1, max: MAX_HOURS, description: 'Hours for which support may enter.', example: 4 }),
  )
  hours: number;
}
