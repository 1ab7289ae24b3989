import { applyDecorators } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientIdParam } from '../../client/index.js';
import type { AnswerPages } from '../../openid/index.js';
import {
  ApiOkResponse,
  ApiResponse,
  BrowserRoute,
  documentedForm,
  formText,
  Problems,
} from '../../platform/api/index.js';
import { HTML_PAGE, type PostedForm } from '../../platform/web/index.js';
import type { Xml } from './xml-builder.js';

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

/** An address of this service for one app, which browsers open. @param next of the redirect */
export const AppRoute = (next: string) =>
  applyDecorators(
    BrowserRoute(),
    ClientIdParam(),
    Problems('validation-error'),
    ApiResponse({ status: SEE_OTHER, description: next }),
    ResponsePage(),
  );

/** What the browser does next: opens an address, or posts a form. */
export type NextStep = { readonly redirectTo: string } | PostedForm;

/** Returns the form that brings a response to an app. */
export function postedResponse(action: string, { xml }: Xml, relayState: string | null): PostedForm {
  const SAMLResponse = Buffer.from(xml).toString('base64');
  return { action, fields: { SAMLResponse, ...(relayState !== null && { RelayState: relayState }) } };
}

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
