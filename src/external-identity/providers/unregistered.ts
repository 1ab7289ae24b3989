import type { Type } from '@nestjs/common';
import { Passport, type Strategy } from 'passport';

/**
 * Base class for `PassportStrategy` of @nestjs/passport. Each strategy registers with a registry of
 * its own, not with the one of passport, which the whole process shares: otherwise a second
 * application in the process replaces the strategies of the first.
 * @param Base a strategy class of passport's
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
