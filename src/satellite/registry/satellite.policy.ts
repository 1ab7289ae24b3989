import {
  AbilityPolicy,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../ability/index.js';
import { hasSecret } from './client-traits.js';
import { SatelliteRepository, type Satellite } from './satellite.repository.js';
import '../satellite.messages.js';

const byOperators = { audience: 'operator' } as const;

/** Decides what operators may do with satellites. */
@AbilityPolicy({ module: 'iam', entity: 'satellite', collection: 'satellites', title: 'scope.satellite' })
export class SatellitePolicy implements EntityPolicy<Satellite> {
  constructor(private readonly satellites: SatelliteRepository) {}

  async load(idsOrClientIds: readonly string[], { lock }: LoadContext): Promise<Map<string, Satellite>> {
    const found = await this.satellites.findAllNamed(idsOrClientIds, lock);
    return new Map(
      found.flatMap((satellite) => [
        [satellite.clientId, satellite] as const,
        [satellite.id, satellite] as const,
      ]),
    );
  }

  /** Accepts ids, and client ids as in paths. */
  isId(text: string): boolean {
    return /^[A-Za-z0-9-]{1,64}$/.test(text);
  }

  @Scope('read', { title: 'scope.satellite.read', ...byOperators, operators: 'support' })
  read(): true {
    return true;
  }

  @Scope('create', { title: 'scope.satellite.create', ...byOperators })
  create(): true {
    return true;
  }

  @Scope('update', { title: 'scope.satellite.update', ...byOperators })
  update(): true {
    return true;
  }

  @Scope('rotate-secret', { title: 'scope.satellite.rotate-secret', ...byOperators })
  rotateSecret({ tokenEndpointAuthMethod: method }: Satellite): true | Refusal {
    return hasSecret(method) || forbid('satellite.public');
  }

  @Scope('disable', { title: 'scope.satellite.disable', ...byOperators })
  disable({ disabledAt }: Satellite): true | Refusal {
    return disabledAt === null || forbid('satellite.disabled');
  }

  @Scope('enable', { title: 'scope.satellite.enable', ...byOperators })
  enable({ disabledAt }: Satellite): true | Refusal {
    return disabledAt !== null || forbid('satellite.not-disabled');
  }
}
