import { AppError, type PageTexts } from '../platform/errors/index.js';
import './openid.messages.js';

/**
 * Creates the error of a request that must not go back to the client.
 * @param page texts for the person; they repeat no parameter, as an attacker can choose them
 */
export const refuseByPage = (page: PageTexts, propertyPath: string, message: string): AppError =>
  new AppError('validation-error', { violations: [{ propertyPath, message }], page });
