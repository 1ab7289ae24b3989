#!/usr/bin/env bash
# @nestjs/throttler 6.7.1: two controllers with one class name and method name share their limit.
#
# Behaviour: the key of a count is made of the names of class and method, the throttler's name and the
# address; module and route are not in it. AuthController.login under /customers and under /staff, in two
# modules, count as one; so do the same methods under two versions of a URL. Another method does not.
# Consequence: customers of an office behind one address use up the sign-ins of the staff there. A
# bundler that shortens names gives unrelated controllers one name, and others at each build. Set
# generateKey, with the route in it.
# Output: with a limit of 2, two sign-ins of customers, one of staff, one of v2, and another method;
# the same with a key by route
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @nestjs/throttler@6.7.1 @nestjs/common@12.5.1 \
  @nestjs/core@12.5.1 @nestjs/platform-express@12.5.1 reflect-metadata@0.2.2 rxjs@7.8.2 >/dev/null 2>&1
cat >run.cjs <<'JS'
require('reflect-metadata');
const { Controller, Module, Post, VersioningType } = require('@nestjs/common');
const { APP_GUARD, NestFactory } = require('@nestjs/core');
const { ThrottlerGuard, ThrottlerModule } = require('@nestjs/throttler');

/** Makes a module with a controller, as a separate file would. */
function moduleAt(path, version) {
  class AuthController {
    login() {}
    logout() {}
  }
  for (const name of ['login', 'logout'])
    Post(name)(AuthController.prototype, name, Object.getOwnPropertyDescriptor(AuthController.prototype, name));
  Controller({ path, version })(AuthController);
  class AuthModule {}
  Module({ controllers: [AuthController] })(AuthModule);
  return AuthModule;
}
async function statuses(options) {
  class App {}
  const limits = ThrottlerModule.forRoot({ throttlers: [{ ttl: 60_000, limit: 2 }], ...options });
  const modules = [moduleAt('customers', '1'), moduleAt('staff', '1'), moduleAt('customers', '2')];
  Module({ imports: [limits, ...modules], providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }] })(App);
  const app = await NestFactory.create(App, { logger: false });
  app.enableVersioning({ type: VersioningType.URI });
  await app.listen(0, '127.0.0.1');
  const post = async (path) => (await fetch(`${await app.getUrl()}/${path}`, { method: 'POST' })).status;
  const found = [];
  for (const path of ['v1/customers/login', 'v1/customers/login', 'v1/staff/login', 'v2/customers/login', 'v1/customers/logout'])
    found.push(await post(path));
  await app.close();
  return found.join(' ');
}
(async () => {
  const generateKey = (context, tracker, name) => `${context.switchToHttp().getRequest().route.path} ${name} ${tracker}`;
  const lines = [`by default: ${await statuses({})}`, `by route: ${await statuses({ generateKey })}`];
  console.log(lines.join('\n'));
  const expected = ['by default: 201 201 429 429 201', 'by route: 201 201 201 201 201'];
  process.exit(lines.join() === expected.join() ? 0 : 1);
})();
JS
timeout 60 node run.cjs
