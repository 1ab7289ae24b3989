import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LOCK, type LifecycleEvents } from '../../src/kernel/index.js';
import { DiscoveryModule } from '../../src/platform/discovery/index.js';
import { Lifecycle, LifecycleModule, OnLifecycle } from '../../src/platform/lifecycle/index.js';

const ran: string[] = [];

@Injectable()
class Sessions {
  @OnLifecycle('account.erased', { order: LOCK.sessions })
  end(): Promise<void> {
    return Promise.resolve(void ran.push('sessions'));
  }
}
@Injectable()
class Teams {
  @OnLifecycle('account.erased')
  remove(): Promise<void> {
    return Promise.resolve(void ran.push('teams'));
  }
}
@Injectable()
class Tenants {
  @OnLifecycle('account.erased', 'account.suspended', { order: LOCK.tenants })
  leave(): Promise<void> {
    return Promise.resolve(void ran.push('tenants'));
  }
}

@Module({ providers: [Sessions] })
class SessionModule {}
@Module({ providers: [Teams] })
class TeamModule {}
@Module({ providers: [Tenants] })
class TenantModule {}

async function erase(...modules: object[]): Promise<string[]> {
  ran.length = 0;
  class Root {}
  Module({ imports: [DiscoveryModule, LifecycleModule, ...(modules as never[])] })(Root);
  const app = await NestFactory.createApplicationContext(Root, { logger: false });
  await app.get(Lifecycle).emit('account.erased', {} as LifecycleEvents['account.erased']);
  await app.close();
  return [...ran];
}

describe('Listeners of a lifecycle event', () => {
  it.each([
    ['as imported', [TenantModule, SessionModule, TeamModule]],
    ['imported the other way round', [TeamModule, SessionModule, TenantModule]],
  ])('run in the order of locks, %s; those that state none are last', async (_, modules) => {
    expect(await erase(...modules)).toEqual(['tenants', 'sessions', 'teams']);
  });
});
