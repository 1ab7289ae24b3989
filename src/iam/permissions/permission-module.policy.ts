import {
  AbilityPolicy,
  AbilityRegistry,
  BY_ADMINS,
  BY_SUPPORT,
  conflict,
  type EntityPolicy,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { isUlid } from '../../kernel/index.js';
import './permission-module.messages.js';
import { PermissionModuleRepository } from './permission-module.repository.js';

/** Name under which permissions are, or can be, registered. */
interface JudgedModule {
  readonly isRegistered: boolean;
  /** Whether the application declares scopes under this name. */
  readonly isDeclared: boolean;
}

export const MODULE_NAME = /^[a-z][a-z0-9-]{0,63}$/;

/** Decides what operators may do with the permissions of other services. */
@AbilityPolicy({ module: 'platform', entity: 'permission', collection: 'permissions' })
@Scope('read', { ...BY_SUPPORT })
export class PermissionModulePolicy implements EntityPolicy<JudgedModule> {
  constructor(
    private readonly modules: PermissionModuleRepository,
    private readonly registry: AbilityRegistry,
  ) {}

  /** Accepts names as in paths, and ids. */
  isId(text: string): boolean {
    return MODULE_NAME.test(text) || isUlid(text);
  }

  /** Any name is one, because a registration makes what it names. */
  async load(namesOrIds: readonly string[], { lock }: LoadContext): Promise<Map<string, JudgedModule>> {
    const registered = await this.modules.findNamed(namesOrIds, lock);
    const names = namesOrIds.filter((one) => MODULE_NAME.test(one));
    return new Map([
      ...names.map((name) => [name, this.judge(name, false)] as const),
      ...registered.flatMap(({ module, id }) => {
        const judged = this.judge(module, true);
        return [[module, judged] as const, [id, judged] as const];
      }),
    ]);
  }

  @Scope('register', { ...BY_ADMINS })
  register({ isDeclared }: JudgedModule): true | Refusal {
    return !isDeclared || conflict('permission.module-declared');
  }

  @Scope('remove', { ...BY_ADMINS })
  remove({ isRegistered }: JudgedModule): true | Refusal {
    return isRegistered || conflict('permission.not-registered');
  }

  private judge(module: string, isRegistered: boolean): JudgedModule {
    return { isRegistered, isDeclared: this.registry.declaresModule(module) };
  }
}
