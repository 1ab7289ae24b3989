import { readFile } from 'node:fs/promises';
import { AppError } from '../../platform/errors/index.js';

/** @throws {AppError} a violation that names the option */
export async function readJson(path: string): Promise<object> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw AppError.violation('file', `there is no file ${path} that can be read`);
  });
  try {
    return JSON.parse(text) as object;
  } catch {
    throw AppError.violation('file', 'is not JSON');
  }
}
