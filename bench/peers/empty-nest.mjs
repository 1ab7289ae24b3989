// Runs an empty application: Nest on Express with defaults, and one constant response to GET and
// POST.
import 'reflect-metadata';
import { Controller, Get, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const answer = JSON.parse(process.env.ANSWER);

class EmptyController {
  read() {
    return answer;
  }

  ask() {
    return answer;
  }
}

class EmptyModule {}

const descriptorOf = (name) => Object.getOwnPropertyDescriptor(EmptyController.prototype, name);
Get('empty')(EmptyController.prototype, 'read', descriptorOf('read'));
Post('empty')(EmptyController.prototype, 'ask', descriptorOf('ask'));
HttpCode(200)(EmptyController.prototype, 'ask', descriptorOf('ask'));
Controller()(EmptyController);
Module({ controllers: [EmptyController] })(EmptyModule);

const app = await NestFactory.create(EmptyModule, { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
