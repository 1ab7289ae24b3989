import { Controller, Get, Injectable, Module, Post, type Type } from '@nestjs/common';
import { AbilityPolicy, AbilitySubject, RequireScopes, Scope } from '../../src/ability/index.js';
import { Bearer } from '../../src/platform/api/access.decorator.js';
import { Events } from '../../src/platform/events/index.js';
import type { MessageId } from '../../src/platform/messages/index.js';
import { TestApp } from '../support/test-app.js';

const NEEDED = 'logistics:crate:open';

@AbilityPolicy({ module: 'logistics', entity: 'crate', collection: 'crates', title: 'role.built-in' })
class CratePolicy {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('open', { title: 'role.built-in' })
  open(): true {
    return true;
  }
}

@Controller('crates/:id')
class UndeclaredAccess {
  @Get()
  open(): void {}
}

@Controller('crates')
class UnknownClients {
  @Get()
  @Bearer(undefined as never) // as plain JavaScript can
  list(): void {}
}

@Controller('crates/:id')
class UnknownScope {
  @Post()
  @RequireScopes('logistics:crate:steal')
  @AbilitySubject('id')
  steal(): void {}
}

@Controller('crates/:id')
class Unjudged {
  @Post()
  @RequireScopes(NEEDED)
  open(): void {}
}

@Controller('crates/:id')
class JudgedByNothing {
  @Post()
  @RequireScopes(NEEDED)
  @AbilitySubject('crateId')
  open(): void {}
}

@AbilityPolicy({ module: 'logistics', entity: 'box', collection: 'crates', title: 'role.built-in' })
class SecondPolicy extends CratePolicy {}

@AbilityPolicy({ module: 'logistics', entity: 'crate', collection: 'boxes', title: 'role.built-in' })
class SameScopes extends CratePolicy {}

@AbilityPolicy({ module: 'Logistics', entity: 'crate', collection: 'crates', title: 'role.built-in' })
class Misspelled extends CratePolicy {}

@AbilityPolicy({ module: 'logistics', entity: 'lid', collection: 'lids', title: 'role.built-in' })
class NoAge extends CratePolicy {
  @Scope('lift', { title: 'role.built-in', maxAge: 0 })
  lift(): true {
    return true;
  }
}

@AbilityPolicy({ module: 'logistics', entity: 'label', collection: 'labels', title: 'role.built-in' })
class CreatedInNothing {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('create', { title: 'role.built-in', on: 'orders' })
  create(): true {
    return true;
  }
}

@AbilityPolicy({ module: 'logistics', entity: 'seal', collection: 'seals', title: 'role.built-in' })
class Untitled {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('break', { title: 'seal.break' as MessageId }) // as plain JavaScript can
  break(): true {
    return true;
  }
}

@AbilityPolicy({ module: 'logistics', entity: 'tape', collection: 'tapes' })
class UntitledGroup {
  async load(): Promise<ReadonlyMap<string, unknown>> {
    return new Map();
  }

  @Scope('cut')
  cut(): true {
    return true;
  }
}

@Scope('read', { title: 'role.built-in' })
@Injectable()
class NoPolicy {}

class Undeclared {}

@Injectable()
class EmitsUndeclared {
  constructor(events: Events) {
    events.emitter(Undeclared);
  }
}

describe('The application refuses to start', () => {
  const starting = (controllers: Type[], providers: Type[]): Promise<TestApp> => {
    @Module({ controllers, providers })
    class TeamModule {}
    return TestApp.with(TeamModule);
  };

  it.each([
    ['without declared access', UndeclaredAccess, 'GET /crates/:id declares no access'],
    ['without declared clients', UnknownClients, 'GET /crates declares no access'],
    ['with an undeclared scope', UnknownScope, 'needs logistics:crate:steal, which no policy'],
    ['without the judged entity', Unjudged, 'names something that no policy judges'],
    ['with an unknown parameter', JudgedByNothing, 'is judged by :crateId, which is not in its'],
  ])('with a route %s', async (_, controller, words) => {
    await expect(starting([controller], [CratePolicy])).rejects.toThrow(words);
  });

  it('with a module that emits an undeclared type of events', async () => {
    await expect(starting([], [EmitsUndeclared])).rejects.toThrow(
      'Undeclared is emitted and has no @EventType',
    );
  });

  it.each([
    ['for a collection that has one', SecondPolicy, 'The collection logistics/crates has two policies.'],
    ['with the scope of another', SameScopes, 'The scope logistics:crate:open is declared twice.'],
    [
      'with a rule on a collection without a policy',
      CreatedInNothing,
      'logistics:label:create is judged on the collection logistics/orders, which no policy declares.',
    ],
    [
      'with a scope without a title',
      Untitled,
      'The scope logistics:seal:break has the text seal.break, which declareMessages does not declare.',
    ],
    [
      'with scopes whose group has no title, the usual one or another',
      UntitledGroup,
      'The scope logistics:tape:cut has the text scope.tape, which declareMessages does not declare.',
    ],
    ['that is none', NoPolicy, 'NoPolicy has @Scope rules but is no @AbilityPolicy.'],
    ['with an invalid maximum age', NoAge, 'logistics:lid:lift has a maxAge that is not a number of'],
    [
      'with a misspelled scope',
      Misspelled,
      'Logistics:crate:open is not spelled <module>:<entity>:<action>.',
    ],
  ])('with a policy %s', async (_, policy, words) => {
    await expect(starting([], [CratePolicy, policy])).rejects.toThrow(words);
  });
});
