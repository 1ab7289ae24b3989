import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  Answers,
  AnyQuery,
  ApiParam,
  ApiResponse,
  documentedForm,
  FormBody,
  formText,
  Operation,
  Problems,
  Public,
} from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { parametersOf } from '../../platform/web/index.js';
import { ExternalSignInTag } from '../external-identity.declarations.js';
import { AppleStrategy } from '../providers/apple/apple.strategy.js';
import { FacebookStrategy } from '../providers/facebook/facebook.strategy.js';
import { DeletionCodes } from './deletion-codes.js';
import { AppleNoticeDto, DeletionReceiptResponse, DeletionStateResponse } from './notice.dto.js';
import { NoticeService } from './notice.service.js';

const MAX_FORM_BYTES = 16_384;
const SIGNED_REQUEST = documentedForm(
  { signed_request: formText(MAX_FORM_BYTES, '^[\\w-]+\\.[\\w-]+$') },
  { required: ['signed_request'], example: { signed_request: 'c2ln.eyJ1c2VyX2lkIjoiMTIzIn0' } },
);
const DONE = 'It is carried out, or there was nothing to do.';

/** Notices of Apple and Facebook about deleted accounts and data, and withdrawn consents. */
@ExternalSignInTag()
@Controller('api/iam/auth/external')
export class NoticesController {
  constructor(
    private readonly notices: NoticeService,
    private readonly codes: DeletionCodes,
    private readonly apple: AppleStrategy,
    private readonly facebook: FacebookStrategy,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post('apple_oauth/notifications')
  @Public('the signature of Apple is the proof')
  @Problems('not-found', 'unavailable')
  @HttpCode(200)
  @ApiResponse({ status: 200, description: DONE })
  @Operation(
    'Receive a notification of Apple',
    '`consent-revoked` signs the person out and unlinks the identity; `account-delete` removes it, and the account that has no other sign-in method. Others change nothing.',
  )
  async receiveAppleNotification(@Body() { payload }: AppleNoticeDto): Promise<void> {
    await this.notices.receive('apple_oauth', 'payload', () => this.apple.readNotice(payload));
  }

  @Post('facebook_oauth/deauthorize')
  @FormBody(MAX_FORM_BYTES)
  @Public('the signature with the secret of the app is the proof')
  @AnyQuery('sent by Facebook')
  @Problems('validation-error', 'not-found')
  @HttpCode(200)
  @ApiResponse({ status: 200, description: DONE })
  @Operation(
    'Receive a deauthorization of Facebook',
    'Signs the person out and unlinks the identity, unless it is the only sign-in method of the account.',
    SIGNED_REQUEST,
  )
  async receiveFacebookDeauthorization(@Req() request: Request): Promise<void> {
    await this.receiveFacebook('withdrawn', request);
  }

  @Post('facebook_oauth/data-deletion')
  @FormBody(MAX_FORM_BYTES)
  @Public('the signature with the secret of the app is the proof')
  @AnyQuery('sent by Facebook')
  @Problems('validation-error', 'not-found')
  @Answers(DeletionReceiptResponse)
  @Operation(
    'Receive a request for deletion of Facebook',
    'Removes the identity, and the account that has no other sign-in method. The answer is the same for a person who is unknown here.',
    SIGNED_REQUEST,
  )
  async receiveFacebookDeletion(@Req() request: Request) {
    await this.receiveFacebook('deleted', request);
    const code = this.codes.create();
    const path = `/api/iam/auth/external/facebook_oauth/data-deletion/${code}`;
    return { url: `${this.settings.PUBLIC_URL}${path}`, confirmation_code: code };
  }

  @Get('facebook_oauth/data-deletion/:code')
  @Public('the code is the proof, and says nothing about the person')
  @Problems('not-found')
  @ApiParam({
    name: 'code',
    schema: {
      type: 'string',
      pattern: '^[0-9a-f]{48}$',
      maxLength: 48,
      example: '69f1c2a05b3d7e1f0123456789abcdef0123456789abcdef',
    },
    description: 'Confirmation code of the deletion.',
  })
  @Answers(DeletionStateResponse)
  @Operation(
    'Get the state of a deletion',
    'Facebook shows its address to the person who asked for the deletion.',
  )
  getFacebookDeletion(@Param('code') code: string): DeletionStateResponse {
    const completedAt = this.codes.read(code);
    if (!completedAt) throw new AppError('not-found');
    return { status: 'completed', completedAt: completedAt.toISOString() };
  }

  private receiveFacebook(what: 'withdrawn' | 'deleted', request: Request): Promise<void> {
    const signed = parametersOf(request)['signed_request'] ?? '';
    return this.notices.receive('facebook_oauth', 'signed_request', async () =>
      this.facebook.readNotice(what, signed),
    );
  }
}
