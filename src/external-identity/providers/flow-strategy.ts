import { Passport, Strategy } from 'passport';
import type { CallbackParameters, FlowStep, ProvenProfile, ProviderFlow } from './provider.js';
import type { Attempt } from './strategy-executor.js';
import type { Type } from '@nestjs/common';

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

/**
 * Base class for `PassportStrategy` of @nestjs/passport. Each strategy has its own registry
 * in place of passport's process-wide one, in which a second application in the process would
 * replace the strategies of the first.
 * @param Base a strategy class of passport
 */
export function Unregistered<T extends Type<Strategy>>(Base: T): T {
  return class extends Base {
    /**
     * An own property: `PassportStrategy` defines the method on its prototype, and calls it in its
     * constructor.
     */
    readonly getPassportInstance = () => new Passport();
  };
}
