import { Injectable } from '@nestjs/common';
import type { Principal } from '../../kernel/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { formatMessage, type Locale } from '../../platform/messages/index.js';
import { AbilityService, type AbilityCheck } from '../ability.service.js';
import type { EvaluationDto, EvaluationsDto, Semantic } from './evaluation.dto.js';
import type { EvaluationResponse } from './evaluation.response.js';

/** A question with all its parts. */
type Question = Required<EvaluationDto>;

const PARTS = ['subject', 'action', 'resource'] as const;
const OF_OTHERS: EvaluationResponse = {
  decision: false,
  context: { error: { status: 403, message: 'The subject is not the caller.' } },
};

/** Decisions at which the evaluation stops. */
const STOPS: Readonly<Record<Semantic, boolean | null>> = {
  execute_all: null,
  deny_on_first_deny: false,
  permit_on_first_permit: true,
};

/** Answers questions of AuthZEN by the decision of the permission check. */
@Injectable()
export class EvaluationService {
  constructor(private readonly abilities: AbilityService) {}

  /**
   * Evaluates the questions of a request, all by one decision.
   * @param locale finds the language of reasons; asked for denials only
   * @returns the answers in order, up to the one at which the semantic stops
   * @throws {AppError} validation-error for a question without subject, action or resource
   */
  async evaluate(
    caller: Principal,
    { evaluations, options, ...shared }: EvaluationsDto,
    locale: () => Promise<Locale>,
  ): Promise<EvaluationResponse[]> {
    const questions = requireComplete(evaluations, shared);
    const own = questions.filter(({ subject }) => isCaller(subject, caller));
    const decisions = await this.abilities.decide(caller, own.map(toCheck));
    const language = decisions.every(({ allowed }) => allowed) ? null : await locale();
    const answers = new Map(
      own.map((question, n) => {
        const decision = decisions[n];
        if (!decision || decision.allowed || language === null)
          return [question, { decision: decision?.allowed === true }];
        const { code, reason } = decision;
        return [question, { decision: false, context: { code, reason: formatMessage(reason, language) } }];
      }),
    );
    const all = questions.map((question) => answers.get(question) ?? OF_OTHERS);
    const stop = STOPS[options?.evaluations_semantic ?? 'execute_all'];
    const last = all.findIndex(({ decision }) => decision === stop);
    return last === -1 ? all : all.slice(0, last + 1);
  }
}

/** Fills what a question leaves out with what the request says for all. */
function requireComplete(
  evaluations: readonly EvaluationDto[] | undefined,
  shared: EvaluationDto,
): Question[] {
  const isSingle = evaluations === undefined || evaluations.length === 0;
  const violations: Violation[] = [];
  const questions = (isSingle ? [{}] : evaluations).map((own: EvaluationDto, n) => {
    const question: EvaluationDto = {};
    for (const part of PARTS) {
      const value = own[part] ?? shared[part];
      if (value) Object.assign(question, { [part]: value });
      else
        violations.push({
          propertyPath: isSingle ? part : `evaluations[${n}].${part}`,
          message: 'is missing',
        });
    }
    return question as Question;
  });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
  return questions;
}

/**
 * Returns whether a subject is the caller. What other people may do is not told.
 */
export function isCaller({ type, id }: Question['subject'], { kind, userId, ...caller }: Principal): boolean {
  if (kind === 'machine' && 'owner' in caller && caller.owner !== 'person')
    return type === 'service_account' && id === userId;
  return type === 'user' && id === (('subject' in caller ? caller.subject : undefined) ?? userId);
}

/** A type without a module fits no scope. */
function toCheck({ action, resource }: Question): AbilityCheck {
  const [, module = '', collection = ''] = /^([^/]+)\/([^/]+)$/.exec(resource.type) ?? [];
  return { scope: action.name, subject: { module, collection, id: resource.id } };
}
