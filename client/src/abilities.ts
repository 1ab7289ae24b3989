import type { DenialCode } from './errors.js';

/** `<module>:<entity>:<action>` */
export type Scope = `${string}:${string}:${string}`;
/** Whether something may be done, and if not, why: `reason` is a sentence for a tooltip. */
export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: DenialCode; readonly reason: string };
/** A verdict for each scope that was asked for. */
export type Verdicts<S extends Scope = Scope> = Readonly<Record<S, Verdict>>;

/** Asks the probe about up to fifty scopes. */
export type Probe = (subject: string | null, scopes: readonly Scope[]) => Promise<Verdicts>;

interface Batch {
  readonly scopes: Set<Scope>;
  readonly verdicts: Promise<Verdicts>;
}

const SCOPES_PER_PROBE = 50;

/** Collects questions: a page whose buttons each ask for themselves sends one request for each subject, not one for each button. */
export class Abilities {
  readonly #probe: Probe;
  readonly #open = new Map<string | null, Batch>();

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  async can<S extends Scope>(subject: string | null, scopes: readonly S[]): Promise<Verdicts<S>> {
    if (scopes.length === 0) return {} as Verdicts<S>;
    const batch = this.#open.get(subject) ?? this.#begin(subject);
    for (const scope of scopes) batch.scopes.add(scope);
    const verdicts = await batch.verdicts;
    return Object.fromEntries(scopes.map((scope) => [scope, verdicts[scope]])) as Verdicts<S>;
  }

  #begin(subject: string | null): Batch {
    const scopes = new Set<Scope>();
    const collected = new Promise((resolve) => setTimeout(resolve));
    const verdicts = collected.then(() => {
      this.#open.delete(subject);
      return this.#ask(subject, [...scopes]);
    });
    const batch = { scopes, verdicts };
    this.#open.set(subject, batch);
    return batch;
  }

  async #ask(subject: string | null, scopes: readonly Scope[]): Promise<Verdicts> {
    const count = Math.ceil(scopes.length / SCOPES_PER_PROBE);
    const portions = Array.from({ length: count }, (_, n) =>
      scopes.slice(n * SCOPES_PER_PROBE, (n + 1) * SCOPES_PER_PROBE),
    );
    const answers = await Promise.all(portions.map((portion) => this.#probe(subject, portion)));
    return Object.assign({}, ...answers) as Verdicts;
  }
}
