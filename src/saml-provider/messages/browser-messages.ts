import { applyDecorators } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AnswerPages } from '../../openid/index.js';
import { ApiOkResponse, ApiResponse, documentedForm, formText } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { HTML_PAGE, type PostedForm } from '../../platform/web/index.js';

/** Not 307, with which the browser would post the form to the next page. */
const SEE_OTHER = 303;
/** A request, a signature and a certificate, in base64. */
export const MAX_FORM_BYTES = 65_536;

/** Form by which a browser brings a request. */
export const FORM = documentedForm(
  { SAMLRequest: formText(65_536, '^[A-Za-z0-9+/=\\s]+$'), RelayState: formText(2_000, '^[\\s\\S]*$') },
  { example: { SAMLRequest: 'PHNhbWxwOkF1dGhuUmVxdWVzdD4=' } },
);

export const ResponsePage = () =>
  ApiOkResponse({
    description: 'A page that posts a response to the app, by a script or a button.',
    content: {
      'text/html': {
        schema: { ...HTML_PAGE, maxLength: 200_000 },
        example: '<!doctype html>\n<html lang="en"></html>',
      },
    },
  });

/** Documents what a browser does next. @param description of the redirect */
export const NextStepResponses = (description: string) =>
  applyDecorators(ApiResponse({ status: SEE_OTHER, description }), ResponsePage());

/** A link scanner must not use up a request. @throws {AppError} method-not-allowed */
export function refuseHead({ method }: Request): void {
  if (method === 'HEAD')
    throw new AppError('method-not-allowed', { headers: { Allow: 'GET, POST, OPTIONS' } });
}

/** What the browser does next: opens an address, or posts a form. */
export type NextStep = { readonly redirectTo: string } | PostedForm;

/** Sends the browser to the next step. */
export async function sendNextStep(
  pages: AnswerPages,
  next: NextStep,
  request: Request,
  response: Response,
): Promise<void> {
  if ('redirectTo' in next) response.redirect(SEE_OTHER, next.redirectTo);
  else await pages.send(next, request, response);
}
