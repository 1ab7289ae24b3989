import { Output } from '../../platform/api/index.js';

export class SignInFailuresResponse {
  @Output.integer({
    min: 1,
    max: 2_147_483_647,
    description: 'Wrong passwords in this series so far.',
    example: 10,
  })
  count: number;
  @Output.time()
  firstAt: string;
  @Output.time()
  lastAt: string;
  @Output.text({
    nullable: true,
    max: 32,
    pattern: '^[0-9a-f]{32}$',
    description:
      'Keyed hash of the network of the attempts: the same for the same network, without its address. null: all networks together.',
    example: '5d41402abc4b2a76b9719d911017c592',
  })
  network: string | null;
  @Output.boolean({ description: 'Whether the series has ended.', example: false })
  ended: boolean;
}

export class AllowedByResponse {
  @Output.text({ max: 100, description: 'Key of the role.', example: 'site-manager' })
  role: string;
  @Output.text({
    nullable: true,
    max: 200,
    description: 'The thing, as <module>/<collection>/<id>; null for the whole organization.',
    example: 'warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  on: string | null;
  @Output.ulid({
    nullable: true,
    description: 'Partnership by which the actor works in the organization; null for members.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6',
  })
  via: string | null;
  @Output.text({
    nullable: true,
    max: 2_048,
    description: 'Name of the partner as it is now; null if it is gone, or the caller may not read it.',
    example: 'Bolt Carriers',
  })
  partnerName: string | null;
}
