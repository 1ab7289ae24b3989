import type { DenialCode } from './errors.js';

/** `<module>:<entity>:<action>` */
export type Scope = `${string}:${string}:${string}`;
/** Decision of a permission check. `reason` is a sentence for a tooltip. */
export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: DenialCode; readonly reason: string };
/** The decision for each requested scope. */
export type Verdicts<S extends Scope = Scope> = Readonly<Record<S, Verdict>>;

/** Checks up to fifty scopes in one request. */
export type Probe = (subject: string | null, scopes: readonly Scope[]) => Promise<Verdicts>;

interface Batch {
  readonly scopes: Set<Scope>;
  readonly verdicts: Promise<Verdicts>;
}

const MAX_SCOPES_PER_PROBE = 50;

/**
 * Batches permission checks: a page whose buttons each call `can` sends one request for each
 * subject, not one for each button.
 */
export class Abilities {
  readonly #probe: Probe;
  readonly #open = new Map<string | null, Batch>();

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  async can<S extends Scope>(subject: string | null, scopes: readonly S[]): Promise<Verdicts<S>> {
    if (scopes.length === 0) return {} as Verdicts<S>;
    const batch = this.#open.get(subject) ?? this.#startBatch(subject);
    for (const scope of scopes) batch.scopes.add(scope);
    const verdicts = await batch.verdicts;
    return Object.fromEntries(scopes.map((scope) => [scope, verdicts[scope]])) as Verdicts<S>;
  }

  #startBatch(subject: string | null): Batch {
    const scopes = new Set<Scope>();
    const collected = new Promise((resolve) => setTimeout(resolve));
    const verdicts = collected.then(() => {
      this.#open.delete(subject);
      return this.#probeAll(subject, [...scopes]);
    });
    const batch = { scopes, verdicts };
    this.#open.set(subject, batch);
    return batch;
  }

  async #probeAll(subject: string | null, scopes: readonly Scope[]): Promise<Verdicts> {
    const count = Math.ceil(scopes.length / MAX_SCOPES_PER_PROBE);
    const portions = Array.from({ length: count }, (_, n) =>
      scopes.slice(n * MAX_SCOPES_PER_PROBE, (n + 1) * MAX_SCOPES_PER_PROBE),
    );
    const answers = await Promise.all(portions.map((portion) => this.#probe(subject, portion)));
    return Object.assign({}, ...answers) as Verdicts;
  }
}
