import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { AppError, type Violation } from '../errors/app-error.js';

/** Validates bodies against their DTO class: unknown properties are dropped, wrong types are violations and never coerced. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || metatype === undefined || metatype === Object) return value;
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body))
      throw AppError.violation('', 'The body must be a JSON object.');
    const instance = plainToInstance(metatype as Type<object>, body);
    const errors = await validate(instance, {
      whitelist: true,
      forbidUnknownValues: true,
      stopAtFirstError: true,
    });
    if (errors.length > 0)
      throw new AppError('validation-error', {
        violations: errors.flatMap((error) => violationsOf(error, '')),
      });
    return instance;
  }
}

function violationsOf(error: ValidationError, prefix: string): Violation[] {
  const index = /^\d+$/.test(error.property);
  const path = index
    ? `${prefix}[${error.property}]`
    : prefix === ''
      ? error.property
      : `${prefix}.${error.property}`;
  const own = Object.values(error.constraints ?? {})
    .slice(0, 1)
    .map((message) => ({ propertyPath: path, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => violationsOf(child, path))];
}
