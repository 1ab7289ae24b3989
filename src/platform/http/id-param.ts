import { Param, type PipeTransform } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import { ULID_PATTERN } from './patterns.js';

const ULID = new RegExp(ULID_PATTERN);

class IdPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    if (typeof value !== 'string' || !ULID.test(value)) throw new AppError('not-found');
    return value;
  }
}

/** Handler parameter: an id in the path. What cannot be one of ours finds nothing, and never reaches the database, which refuses a NUL. */
export function IdParam(name: string): ParameterDecorator {
  return Param(name, new IdPipe());
}
