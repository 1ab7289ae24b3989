import { readFile } from 'node:fs/promises';
import { AppError } from '../../platform/errors/index.js';

/** @param option that named the file @throws {AppError} a violation that names the option */
export function readText(path: string, option = 'file'): Promise<string> {
  return readFile(path, 'utf8').catch(() => {
    throw AppError.violation(option, `there is no file ${path} that can be read`);
  });
}

/** @throws {AppError} a violation that names the option */
export async function readJson(path: string): Promise<object> {
  const text = await readText(path);
  try {
    return JSON.parse(text) as object;
  } catch {
    throw AppError.violation('file', 'is not JSON');
  }
}
