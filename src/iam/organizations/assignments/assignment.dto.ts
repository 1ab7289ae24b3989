import { Input, Output, timeField, toResponse } from '../../../platform/api/index.js';
import { ROLE_KEY_FIELD } from '../roles/role.fields.js';
import { ASSIGNMENT_SOURCES } from './assignment.entity.js';
import { THING } from '../organization.declarations.js';
import type { Assignment } from './assignment.repository.js';

const UNTIL = timeField({ description: 'End of the access. Default: none.' });

export class AssignRoleDto {
  @Input(ROLE_KEY_FIELD, { description: 'Key of the role.', example: 'member' })
  role: string;

  @Input(THING)
  on: string;

  @Input(UNTIL, { optional: true, example: '2099-12-31T18:00:00.000Z' })
  until?: string;
}

/** Query of the list of assignments, in addition to the page's. */
export class AssignmentsQuery {
  @Input(THING, { optional: true })
  on?: string;

  @Input.ulid({ optional: true, description: 'The member.' })
  userId?: string;

  @Input(ROLE_KEY_FIELD, { optional: true, description: 'Key of a role.' })
  role?: string;

  @Input.time({ optional: true, description: 'Lists only what ends before this time.' })
  expiring?: string;
}

/** A role that a member holds on one thing. */
export class AssignmentResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' })
  id: string;

  @Output.ulid({ description: 'The member.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string;

  @Output(ROLE_KEY_FIELD)
  role: string;

  @Output(THING)
  on: string;

  @Output.text({
    nullable: true,
    max: 100,
    example: 'Depot north',
    description: 'Its name, if it is registered.',
  })
  name: string | null;

  @Output(UNTIL, { nullable: true })
  until: string | null;

  @Output.time()
  createdAt: string;

  @Output.ulid({ description: 'Who assigned it, or the directory.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  createdBy: string;

  @Output.word(ASSIGNMENT_SOURCES, { description: '`directory`: by its rules, which replace it.' })
  source: string;

  static from(assignment: Assignment): AssignmentResponse {
    return toResponse(AssignmentResponse, { ...assignment, on: `gatehouse:///${assignment.thing}` });
  }
}
