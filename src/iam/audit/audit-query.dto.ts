import { Input } from '../../platform/api/index.js';

/** Query of a list of events, in addition to the page's. */
export class PeriodQuery {
  @Input.time({ optional: true, description: 'Lists events from this time on.' })
  from?: string;

  @Input.time({ optional: true, description: 'Lists events before this time.' })
  to?: string;
}

/** Query of the audit trail of an organization. */
export class AuditQuery extends PeriodQuery {
  @Input.text({
    optional: true,
    max: 100,
    pattern: '^[a-z-]+\\.[a-z-]+$',
    shape: '<thing>.<what happened>',
    description: 'Lists only this action.',
    example: 'member.removed',
  })
  action?: string;

  @Input.text({
    optional: true,
    max: 50,
    pattern: '^[a-z-]+$',
    shape: 'the first part of an action',
    description: 'Lists only actions on such a thing.',
    example: 'member',
  })
  group?: string;

  @Input.ulid({
    optional: true,
    description: 'Lists only what this person did.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  actorId?: string;

  @Input.text({
    optional: true,
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    shape: '<module>/<collection>/<id>',
    description: 'Lists only what happened to this.',
    example: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  })
  subject?: string;

  @Input.text({
    optional: true,
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    shape: '<module>/<collection>/<id>',
    description:
      'Lists only what a role on this thing allowed, or a partnership: iam/partnerships/<id>. See `by` of the events.',
    example: 'warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  by?: string;

  @Input.ulid({
    optional: true,
    description: 'Lists only what this person did, or what was done to them.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  personId?: string;

  @Input.text({
    optional: true,
    max: 254,
    description:
      'Lists only what people did, or what was done to them, of whose names or addresses this is a part: the first fifty.',
    example: 'lovela',
  })
  query?: string;
}
