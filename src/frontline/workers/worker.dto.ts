import { FIRST_NAME, LAST_NAME, ROLE_KEYS } from '../../iam/index.js';
import { Input, objectField, Output, PartialType, toResponse } from '../../platform/api/index.js';
import { BADGE, UNTIL, WORKER_NUMBER, WORKER_STATUS } from '../frontline.fields.js';
import type { IssuedBadge } from './badge.service.js';
import type { Worker } from './worker.repository.js';
import type { PinReset } from './pin-reset.service.js';

class BadgeOfWorkerResponse {
  @Output.time({ description: 'When the badge ends.' })
  expiresAt: string;
}

export class WorkerResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T9' })
  userId: string;
  @Output(WORKER_NUMBER)
  number: string;
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
  @Output(LAST_NAME, { nullable: true })
  lastName: string | null;
  @Output.email({ nullable: true, description: 'Verified address; null without one.' })
  email: string | null;
  @Output(WORKER_STATUS)
  status: string;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output.boolean({ description: 'Whether the person has a PIN.', example: true })
  hasPin: boolean;
  @Output.boolean({ description: 'Whether too many wrong PINs have locked it, until a reset.' })
  pinLocked: boolean;
  @Output(objectField(() => BadgeOfWorkerResponse), { nullable: true, description: 'null without a badge.' })
  badge: BadgeOfWorkerResponse | null;
  @Output(UNTIL, { nullable: true })
  until: string | null;
  @Output.time({ nullable: true, description: 'Last sign-in at a station.' })
  lastSignInAt: string | null;

  static from(worker: Worker): WorkerResponse {
    const { badgeExpiresAt } = worker;
    const badge = badgeExpiresAt && { expiresAt: badgeExpiresAt.toISOString() };
    return toResponse(WorkerResponse, { ...worker, badge });
  }
}

export class IssuedBadgeResponse {
  @Output(BADGE)
  badge: string;
  @Output.time({ description: 'When the badge ends.' })
  expiresAt: string;

  static from(issued: IssuedBadge): IssuedBadgeResponse {
    return toResponse(IssuedBadgeResponse, issued);
  }
}

export class PinResetResponse {
  @Output.text({
    nullable: true,
    max: 12,
    pattern: /^\d{6,12}$/,
    description:
      'PIN for one sign-in, at which the person chooses a new one. Cannot be read again. null where a second member has to confirm the reset first.',
    example: '70531842',
  })
  temporaryPin: string | null;
  @Output.time({ description: 'Until when it can be used, or a second member can confirm.' })
  expiresAt: string;

  static from(reset: PinReset): PinResetResponse {
    return toResponse(PinResetResponse, reset);
  }
}

export class CreateWorkerDto {
  @Input(WORKER_NUMBER)
  number: string;

  @Input(FIRST_NAME)
  firstName: string;

  @Input(LAST_NAME, { optional: true, nullable: true })
  lastName?: string | null;

  @Input(ROLE_KEYS)
  roles: string[];

  @Input(UNTIL, { optional: true, nullable: true })
  until?: string | null;
}

export class UpdateWorkerDto extends PartialType(CreateWorkerDto) {
  @Input.email({
    optional: true,
    description: 'Address of the person. It is theirs once they have confirmed it by a mailed link.',
  })
  email?: string;
}

export class IssueBadgeDto {
  @Input.integer({
    optional: true,
    min: 1,
    max: 395,
    description: 'Days until the badge ends. Default: 365.',
    example: 365,
  })
  expiresInDays?: number;
}

/** Query of the list, in addition to the page's. */
export class WorkersQuery {
  @Input.text({
    optional: true,
    max: 100,
    description: 'Any part of the number or the name, without regard to case and accents.',
    example: '47',
  })
  query?: string;

  @Input(WORKER_STATUS, { optional: true })
  status?: 'active' | 'suspended';
}
