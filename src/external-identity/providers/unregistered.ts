import type { Type } from '@nestjs/common';
import { Passport, type Strategy } from 'passport';

/**
 * Base class for `PassportStrategy` of @nestjs/passport. Each strategy has a registry of its own in
 * place of passport's process-wide one, in which a second application in the process would replace
 * the strategies of the first.
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
