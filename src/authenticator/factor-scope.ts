import type { TenantId } from '../kernel/index.js';

/**
 * Factors that count besides the person's own: of these organizations, which have not been
 * confirmed yet (ADR 49); or all.
 */
export type FactorScope = readonly TenantId[] | 'all';

/**
 * SQL of the condition that a factor counts.
 * @param scope parameter of the statement: see {@link parameterOf}
 */
export const countsIn = (scope: string): string =>
  `(assured_by IS NULL OR ${scope}::text[] IS NULL OR assured_by = ANY(${scope}::text[]))`;

/** Returns the parameter of {@link countsIn}. */
export const parameterOf = (scope: FactorScope): readonly TenantId[] | null =>
  scope === 'all' ? null : scope;

/**
 * Returns the scope of recovery codes: one of an organization never becomes the person's own, as
 * an app does that is shown. It is used up, and the organization's provider may have made it.
 */
export const scopeOfCodes = (scope: FactorScope): readonly TenantId[] => (scope === 'all' ? [] : scope);

/** A factor that was shown. */
export interface AcceptedFactor {
  /** Null for a recovery code. */
  readonly id: string | null;
  /** Organization in which it counts only; null for the person's own. */
  readonly assuredBy: TenantId | null;
}
