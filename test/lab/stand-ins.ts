import type { Counter } from './counters/counter.ts';
import { appleCounter, facebookCounter, googleCounter } from './counters/oauth-counters.ts';
import { oidcCounter } from './counters/oidc-counter.ts';
import { samlCounter } from './counters/saml-counter.ts';
import type { Way } from './site/app-pages.ts';
import { counterPages, pathOf } from './site/counter-pages.ts';
import type { PageServer } from './site/server.ts';

/** Stand-ins of every kind, with pages to sign in at. */
export class StandIns {
  private readonly counters: readonly Counter[];
  /** What the settings of the service need to know. */
  readonly settings: Readonly<Record<string, string>>;

  private constructor(counters: readonly Counter[], settings: Record<string, string>) {
    this.counters = counters;
    this.settings = settings;
  }

  /** @param site server of their pages */
  static async open(site: PageServer): Promise<StandIns> {
    const counters = await Promise.all([
      googleCounter(),
      facebookCounter(),
      appleCounter(),
      oidcCounter(),
      samlCounter(),
    ]);
    site.add(counterPages(counters));
    const settings = counters.map((counter) => counter.settings(site.url + pathOf(counter)));
    return new StandIns(counters, Object.assign({}, ...settings) as Record<string, string>);
  }

  get ways(): readonly Way[] {
    return this.counters.map(({ kind, title }) => ({ kind, title }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.counters.map((counter) => counter.close()));
  }
}
