import { Reflector } from '@nestjs/core';
import type { TenantId } from '../../kernel/index.js';

/** What an actor of the audit trail can be, in addition to a person. */
export const MACHINE_ACTORS = ['service-account', 'directory', 'connection', 'partner'] as const;
type MachineActor = (typeof MACHINE_ACTORS)[number];

/** Things that the audit trail names. */
export interface NamedInTrailRules {
  /** Collection of their subjects, such as `iam/roles`. */
  readonly collection: string;
  /** Scope without which a reader of the trail sees no names of theirs as subjects. */
  readonly scope: string;
  /** What they are as actors; left out for things that do nothing. */
  readonly actor?: MachineActor;
  /** Whether they are the platform's, and act in all organizations; left out for false. */
  readonly ofPlatform?: true;
}

/** Name of a thing in an organization. */
export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** Returns the things of these ids that the organization has; of the platform's, whatever it is. */
export type FindNamedThings = (tenantId: TenantId, ids: readonly string[]) => Promise<readonly NamedThing[]>;

/**
 * Marks a {@link FindNamedThings} method, so that the audit trail shows names. They are joined when
 * it is read, and never stored in it: a name must not outlive its erasure.
 */
export const NamedInTrail = Reflector.createDecorator<NamedInTrailRules>();
