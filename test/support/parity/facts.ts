import type { Caller, Tenant, World } from './world.js';

/** Use of a scope on the entity of an id. */
export interface Intent {
  readonly world: World;
  readonly caller: Caller;
  readonly id: string;
  /** Declared scopes of organizations. */
  readonly declared: readonly string[];
}

/** Use of a scope by a command, with the number from which its body is made. */
export interface Deed extends Intent {
  readonly choice: number;
  /** Method and declared path of the command: a scope can have several. */
  readonly route: string;
}

/** Expected rules of a scope: written from the requirements, not from the policies. */
export interface ScopeFacts {
  /** @returns the reason for which the state forbids it; false or undefined if it does not */
  whyNot(intent: Intent): string | false | undefined;
  /**
   * @returns a body with which the command succeeds if it is allowed; undefined if it takes none;
   *   null if there is none with which it would
   */
  body?(deed: Deed): object | null | undefined;
  /** @returns parameters of the path besides subject and tenant, by name */
  others?(intent: Omit<Intent, 'declared'>): Readonly<Record<string, string>>;
  /** Records in the world what the command has done. Absent if the command only reads. */
  done?(deed: Deed, body: never, answer: { id: string; userId?: string }): void;
}

export const ARCHIVED = 'The organization is archived. Restore it first.';

export const tenantOf = ({ caller }: Intent): Tenant => caller.tenant!;
export const ifArchived = (intent: Intent) => tenantOf(intent).archived && ARCHIVED;
export const reading: ScopeFacts = { whyNot: () => undefined };
