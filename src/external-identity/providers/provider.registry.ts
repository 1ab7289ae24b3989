import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MarkedClasses } from '../../platform/discovery/index.js';
import { AppError } from '../../platform/errors/index.js';
import { EXTERNAL_PROVIDER, type ProviderNames } from './external-provider.decorator.js';
import { KINDS, type Kind, type SignInStrategy } from './provider.js';

/** As paths and the documentation spell it. */
const KIND = /^[a-z][a-z0-9_]{1,39}$/;

/**
 * A kind that is configured, and the issuer whose word it takes, null where it has always been the
 * same one.
 */
export interface WayIn {
  readonly kind: Kind;
  readonly issuer: string | null;
}

/** Enough for a code, an ID token and a name. */
const DEFAULT_MAX_FORM_BYTES = 64 * 1_024;

interface Registered {
  readonly name: string;
  readonly strategy: SignInStrategy;
}

/**
 * Every way to sign in elsewhere, found by decorator at start: those of the specification, and
 * those of other modules.
 */
@Injectable()
export class ProviderRegistry implements OnApplicationBootstrap {
  private found: ReadonlyMap<Kind, Registered> | undefined;

  constructor(private readonly marked: MarkedClasses) {}

  /** @throws when a kind is misspelled, or two providers are of one kind */
  onApplicationBootstrap(): void {
    this.found = this.discover();
  }

  /**
   * All that there are, whether this deployment has configured them or not; those of the
   * specification first.
   */
  get kinds(): readonly Kind[] {
    return [...new Set([...KINDS, ...this.all.keys()])];
  }

  /** Those that this deployment has configured, in the same order. */
  get configured(): readonly Kind[] {
    return this.kinds.filter((kind) => this.all.get(kind)?.strategy.configured === true);
  }

  /** What an identity has to be of to sign anybody in today. */
  get waysIn(): readonly WayIn[] {
    return this.configured.map((kind) => ({ kind, issuer: this.get(kind).issuer ?? null }));
  }

  /**
   * @throws {AppError} validation-error for an unknown kind, not-found for one that is not
   * configured
   */
  get(kind: Kind): SignInStrategy {
    const registered = this.all.get(kind);
    if (!registered) throw AppError.violation('kind', `must be one of ${this.kinds.join(', ')}`);
    if (!registered.strategy.configured)
      throw new AppError('not-found', { detail: 'This way to sign in is not configured.' });
    return registered.strategy;
  }

  /** Maximum size of a form that is posted to the callback of a kind. */
  maxFormBytesOf(kind: Kind): number {
    return this.all.get(kind)?.strategy.maxFormBytes ?? DEFAULT_MAX_FORM_BYTES;
  }

  /** How people call it. */
  nameOf(kind: Kind): string {
    return this.all.get(kind)?.name ?? kind;
  }

  /** Until everybody is there, looked for anew each time. */
  private get all(): ReadonlyMap<Kind, Registered> {
    return this.found ?? this.discover();
  }

  private discover(): ReadonlyMap<Kind, Registered> {
    const found = new Map<Kind, Registered>();
    for (const { mark, provider: strategy } of this.marked.find<ProviderNames, SignInStrategy>(
      EXTERNAL_PROVIDER,
    )) {
      const { kind, name } = mark;
      if (!KIND.test(kind)) throw new Error(`The kind ${kind} is not spelled as kinds are.`);
      if (found.has(kind)) throw new Error(`The kind ${kind} has two providers.`);
      found.set(kind, { name, strategy });
    }
    return found;
  }
}
