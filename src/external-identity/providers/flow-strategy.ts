import { Strategy } from 'passport';
import type { CallbackParameters, FlowStep, ProviderFlow, ProvenProfile } from './provider.js';
import type { Attempt } from './strategy-executor.js';
import { Unregistered } from './unregistered.js';

type Done = (error: unknown, result?: ProvenProfile | URL | null) => void;
type Verify = (flow: ProviderFlow, parameters: CallbackParameters, done: Done) => void;

interface Starts {
  authorizationUrl(flow: ProviderFlow): Promise<URL>;
}

/**
 * Base class of strategies whose protocol is implemented here and not by a library of passport. A
 * subclass has one method per step: `authorizationUrl(flow)` returns the address to redirect the
 * browser to, and `validate(flow, parameters)` returns the {@link ProvenProfile}, or an address at
 * which the person must authenticate again.
 */
export class FlowStrategy extends Unregistered(Strategy) {
  /** @param verify calls `validate`; `PassportStrategy` passes it */
  constructor(readonly verify: Verify) {
    super();
  }

  override authenticate(this: this & Attempt, _: unknown, { flow, callback }: FlowStep): void {
    if (!callback) {
      const { authorizationUrl } = this as unknown as Starts;
      authorizationUrl.call(this, flow).then(({ href }) => this.redirect(href), this.error);
      return;
    }
    this.verify(flow, callback, (error, result) => {
      if (error !== null) this.error(error);
      else if (result instanceof URL) this.redirect(result.href);
      else if (result) this.success(result);
      else this.fail();
    });
  }
}
