import { Reflector } from '@nestjs/core';
import type { TenantId } from '../../kernel/index.js';

/** What an actor of the audit trail can be, in addition to a person. */
export const MACHINE_ACTORS = ['service-account', 'directory', 'connection', 'partner'] as const;
export type MachineActor = (typeof MACHINE_ACTORS)[number];

/** Things that the audit trail names. */
export interface NamedInTrailRules {
  /** Collection of their subjects, such as `iam/roles`. */
  readonly collection: string;
  /** Scope without which a reader of the trail sees no names of theirs as subjects. */
  readonly scope: string;
}

/** Name of a thing in an organization. */
export interface NamedThing {
  /** The organization that was asked for it; empty for the platform. */
  readonly tenantId: TenantId;
  readonly id: string;
  readonly name: string;
}

/**
 * Returns the things of these ids, each as far as the organization at its place in the other list
 * has it; of the platform's, whatever it is.
 */
export type FindNamed = (
  tenantIds: readonly TenantId[],
  ids: readonly string[],
) => Promise<readonly NamedThing[]>;

/**
 * Marks a {@link FindNamed} method, so that the audit trail shows names. They are joined when it is
 * read, and never stored in it: a name must not outlive its erasure.
 */
export const NamedInTrail = Reflector.createDecorator<NamedInTrailRules>();

/** Marks a {@link FindNamed} method of actors of this kind. */
export const ActsInTrail = Reflector.createDecorator<MachineActor>();
